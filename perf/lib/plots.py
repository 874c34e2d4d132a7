# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The plots with lines over sizes. Each function draws a figure, or returns None if there are no results for it."""

from implementations import look
from plotting import figure, logarithmic, name_lines
from series import Figures


def subscribers(figures: Figures):
    """The cost of a send against the number of subscribers: as a whole, and for each subscriber."""
    found = figures.lines("emit")
    if not found:
        return None
    made, (whole, each) = figure("Sending to many subscribers: lower is better", 10.5, 4.2, 2)
    draw(whole, found, "ns per send", "number of subscribers")
    each_one = [line._replace(y=[ns / size for size, ns in zip(line.x, line.y)]) for line in found]
    draw(each, each_one, "ns per subscriber", "number of subscribers")
    for axes in (whole, each):
        axes.set_xscale("log", base=2)
        axes.set_xticks(found[0].x, [f"{size:,}" for size in found[0].x])
        axes.minorticks_off()
    finish(whole, found)
    finish(each, each_one)
    return made


def chain_length(figures: Figures):
    """The cost of a value against the number of operators."""
    # Without the limits, in which one function does the work of ten operators, and without three operators on a range, where the compiler
    # knows the sink.
    keeping = figures.lines_of({0: "emit/1", 3: "hot-chain/3", 10: "hot-maps/10"})
    plain = figures.lines_of({0: "emit/1", 3: "hot-chain-plain/3", 10: "hot-maps-plain/10"})
    cold = figures.lines_of({0: "cold-chain/0", 10: "cold-maps/10"})
    found = (
        ("on a subject; closures capture nothing", [line for line in plain if line.implementation != "limit"]),
        ("on a subject; each closure captures a number", [line for line in keeping if line.implementation != "limit"]),
        ("on a range", cold),
    )
    panels = [(name, lines) for name, lines in found if lines]
    return sizes("Chains of operators: lower is better", panels, "ns per value", "number of operators")


def list_size(figures: Figures):
    """The cost of subscribing and disposing against the number of other subscribers."""
    panels = [("", lines)] if (lines := figures.lines("subscribe-dispose")) else []
    return sizes("Subscribe and dispose: lower is better", panels, "ns per subscription", "number of other subscribers")


def throughput(figures: Figures):
    """Values per second against the number of sending threads."""
    panels = []
    for title, suffix in (("senders only", ""), ("while another thread subscribes and disposes", "-churn")):
        lines = figures.lines("contended", suffix)
        if lines:
            panels.append((title, [line._replace(y=[1000 / ns for ns in line.y]) for line in lines]))
    return sizes("Several threads send to one subject: higher is better", panels, "million values per second", "number of sending threads")


def sizes(title, panels, unit, size):
    """Panels with lines over sizes; the sizes are placed at equal distances."""
    if not panels:
        return None
    made, axes = figure(title, 5.8 * len(panels), 4.2, len(panels), sharey=True)
    spaced = []
    for place, (name, lines) in zip(axes, panels):
        known = sorted({size for line in lines for size in line.x})
        spaced.append([line._replace(x=[known.index(size) for size in line.x]) for line in lines])
        draw(place, spaced[-1], unit if place is axes[0] else "", size)
        place.set_title(name)
        place.set_xticks(range(len(known)), [f"{size:,}" for size in known])
    for place, lines in zip(axes, spaced):
        finish(place, lines)
    return made


def draw(axes, lines, unit, size):
    """Draws lines over sizes, with a logarithmic vertical axis."""
    logarithmic(axes.yaxis)
    axes.set_xlabel(size)
    axes.set_ylabel(unit)
    among = [line.implementation for line in lines]
    for line in lines:
        style = look(line.implementation, among)
        axes.plot(
            line.x, line.y, color=style.color, lw=style.width, ls=style.dashes, marker=style.marker, ms=5,
            zorder={"weir": 3, "limit": 4}.get(line.implementation, 2),
        )  # fmt: skip


def finish(axes, lines):
    """Writes the names next to the lines. Called when everything that determines where the lines are has been drawn."""
    among = [line.implementation for line in lines]
    ends = []
    for line in lines:
        style = look(line.implementation, among)
        weight = "bold" if line.implementation == "weir" else "normal"
        ends.append((style.name, line.x[-1], line.y[-1], {"color": style.color, "fontweight": weight, "fontsize": 9}))
    name_lines(axes, ends)
