# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The plots of latencies: the time within which a given share of the values arrives, or of the sends has returned, up to 99.99 %."""

import math

from implementations import in_order, look
from plotting import figure, name_lines
from results import Result
from table import by_name

PAUSES = {"back-to-back": "the next value is sent on arrival", "idle": "the next value is sent 50 µs after arrival"}
SENDERS = {"2": "2 threads send as fast as they can", "4": "4 threads send as fast as they can"}
# Above 99.99 % there are few values, and these show the machine rather than the implementation.
SHARES = {0.5: "50 %", 0.9: "90 %", 0.99: "99 %", 0.999: "99.9 %", 0.9999: "99.99 %"}


def latency(results: list[Result]):
    """How long values are on their way to another thread."""
    title, share = "Latency of a value sent to another thread: lower is better", "share of values that arrive within this time"
    return distribution(title, share, PAUSES, histograms(results, "hop-latency"))


def sending(results: list[Result]):
    """How long senders are busy with one value."""
    title, share = "Time of one send to a subject with four subscribers: lower is better", "share of sends that return within this time"
    return distribution(title, share, SENDERS, histograms(results, "send-time"))


def histograms(results: list[Result], family: str) -> dict[str, dict[str, list]]:
    """By what follows the family in the name of the scenario, and by implementation."""
    found: dict[str, dict[str, list]] = {}
    for (scenario, implementation), result in by_name(results).items():
        name, _, variant = scenario.partition("/")
        if name == family and result.get("histogram"):
            found.setdefault(variant, {})[implementation] = result["histogram"]
    return found


def distribution(title: str, share_of: str, titles: dict[str, str], found: dict[str, dict[str, list]]):
    """One panel for each variant of a scenario, with one line for each implementation."""
    panels = {variant: {name: curve(pairs) for name, pairs in each.items()} for variant, each in found.items()}
    if not panels:
        return None
    made, axes = figure(title, 5.8 * len(panels), 4.4, len(panels), sharey=True)
    for place, (variant, curves) in zip(axes, panels.items()):
        names = in_order(set(curves))
        for name in names:
            style = look(name, names)
            shares, nanoseconds = curves[name]
            place.plot(shares, nanoseconds, color=style.color, lw=style.width, ls=style.dashes, zorder=3 if name == "weir" else 2)
        place.set_yscale("log")
        place.set_title(titles.get(variant, variant))
        place.set_xlabel(share_of)
        place.set_xticks([nines(share) for share in SHARES], SHARES.values())
        place.set_xlim(0, nines(max(SHARES)))
    marks = {1e2: "100 ns", 1e3: "1 µs", 1e4: "10 µs", 1e5: "100 µs", 1e6: "1 ms", 1e7: "10 ms", 1e8: "100 ms"}
    low, high = axes[0].get_ylim()
    shown = {mark: name for mark, name in marks.items() if low <= mark <= high}
    axes[0].set_yticks(list(shown), shown.values())
    for place, curves in zip(axes, panels.values()):
        place.minorticks_off()
        names = in_order(set(curves))
        ends = []
        for name in names:
            style = look(name, names)
            weight = "bold" if name == "weir" else "normal"
            ends.append((style.name, curves[name][0][-1], curves[name][1][-1], {"color": style.color, "fontweight": weight, "fontsize": 9}))
        name_lines(place, ends)
    return made


def nines(share: float) -> float:
    """The position of a share on the axis: every further nine moves it by the same distance."""
    return -math.log10(1 - share)


def curve(histogram: list[list[float]]) -> tuple[list[float], list[float]]:
    """Turns a histogram into a line of positions and times. The histogram consists of pairs: an upper bound, and the number of values from
    the bound before it up to this one."""
    total = sum(count for _, count in histogram)
    # The slowest value would be at 100 %, which has no position: it is placed in the middle of its own share.
    last = min(max(SHARES), 1 - 0.5 / total)
    shares, nanoseconds, below = [], [], 0
    for bound, count in sorted(histogram):
        below += count
        shares.append(nines(min(below / total, last)))
        nanoseconds.append(bound)
        if below / total >= last:
            break
    return shares, nanoseconds
