# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""What all plots share: the style of matplotlib, names next to lines, and SVG that is identical for identical figures."""

import importlib.util
import io

from command import UNAVAILABLE, Failure

# Only the functions that draw import matplotlib: that takes a second, which every script would need even to print its help.
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None

# How far names are from the ends of their lines, in points; and how often they are placed anew. The fourth time moves them by a fiftieth
# of a point.
TO_THE_RIGHT, MOVES = 8, 4

TEXT, FAINT, GRID = "#24292f", "#6e7781", "#e4e7eb"
STYLE = {
    # Text stays text, so files are small and names can be searched for. The font is the widest of the common ones, so that text in another
    # one fits as well.
    "svg.fonttype": "none",
    "svg.hashsalt": "weir",
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "text.color": TEXT,
    "axes.labelcolor": FAINT,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": TEXT,
    "ytick.labelcolor": TEXT,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
}


def require():
    """Fails at once, and not after minutes of measuring, if matplotlib is missing."""
    if not HAS_MATPLOTLIB:
        remedy = "pip install -r perf/requirements.txt (if pip refuses: in an environment made by python3 -m venv)"
        raise Failure(f"plots need matplotlib: {remedy}", UNAVAILABLE)


def drawn(draw, argument, caption=""):
    """The SVG of the figure that `draw` returns, with a caption below it; None if it returns none."""
    require()
    import matplotlib

    with matplotlib.rc_context(STYLE):
        figure = draw(argument)
        if figure is None:
            return None
        if caption:
            figure.supxlabel(caption, x=0.01, ha="left", fontsize=7, color=FAINT)
        names_moved_apart(figure)
        text = io.StringIO()
        # Without date and version, so that the same figures give the same file.
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def figure(title, width, height, panels=1, **options):
    """A figure with this number of panels side by side (or as `options` say), and its axes."""
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    made.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
    axes = made.subplots(**({"ncols": panels} | options), squeeze=False)
    return made, list(axes.flat)


def logarithmic(axis):
    """Makes an axis logarithmic, labelled with plain numbers instead of powers of ten."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
    axis.set_minor_formatter(NullFormatter())


def name_lines(axes, ends):
    """Writes names to the right of the last points of lines; `drawn` moves those apart that would overlap. `ends` are tuples of a name, x,
    y, and options of the text."""
    for name, x, y, options in ends:
        text = axes.annotate(
            name,
            (x, y),
            xytext=(TO_THE_RIGHT, 0),
            textcoords="offset points",
            va="center",
            annotation_clip=False,
            # For a name that overlaps another line.
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.6},
            **options,
        )
        text.names_a_line = True


def names_moved_apart(figure):
    """Moves names of lines apart that would overlap, and returns the figure. Names need room, which the layout takes from the axes, and then
    the lines are elsewhere: so this is done until they hardly move any more."""
    from matplotlib import rcParams

    points = 72 / figure.dpi
    line_height = 1.35 * rcParams["font.size"] / points
    panels = [(axes, [text for text in axes.texts if getattr(text, "names_a_line", False)]) for axes in figure.axes]
    for _ in range(MOVES if any(names for _, names in panels) else 0):
        figure.draw_without_rendering()
        for axes, names in panels:
            places = sorted(((axes.transData.transform(text.xy)[1], text) for text in names), key=lambda place: place[0])
            for (place, text), height in zip(places, apart([place for place, _ in places], line_height)):
                text.xyann = (TO_THE_RIGHT, (height - place) * points)
    return figure


def apart(heights, gap):
    """Ascending numbers at least `gap` apart, as close to `heights` as possible."""
    # Groups of neighbours that touch each other: the size of each group, and where its middle should be.
    groups = []
    for height in heights:
        groups.append([1, height])
        while len(groups) > 1:
            (below, low), (above, high) = groups[-2:]
            if high - low >= gap * (below + above) / 2:
                break
            groups[-2:] = [[below + above, (below * low + above * high) / (below + above)]]
    return [middle + gap * (number - (size - 1) / 2) for size, middle in groups for number in range(size)]
