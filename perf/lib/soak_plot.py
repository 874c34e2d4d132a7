# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The plot of perf/soak: memory, blocks and objects over time."""

from typing import NamedTuple

from implementations import OTHERS, WEIR
from plotting import FAINT, GRID, figure, name_lines


class Soak(NamedTuple):
    minutes: list[float]
    values: int
    megabytes: list[float]
    # The bound for `megabytes`, and the minute at which the warm-up ended.
    allowed: float
    warm_up: float
    blocks: list[int]
    objects: list[int]


def drawing(soak: Soak):
    """Two panels with the same time axis."""
    title = f"A mixed load for {soak.minutes[-1]:.3g} minutes: {soak.values:,} values delivered"
    made, (memory, alive) = figure(title, 8.6, 5.6, 2, ncols=1, nrows=2, sharex=True)
    memory.set_ylabel("resident memory, MB")
    memory.axhline(soak.allowed, color="#d55e00", lw=1.4, ls="--")
    alive.set_ylabel("number alive")
    alive.set_xlabel("minutes since the start")
    lines = [
        (memory, "resident memory", soak.megabytes, WEIR),
        (alive, "blocks of the runtime", soak.blocks, WEIR),
        (alive, "objects of the load", soak.objects, OTHERS[2]),
    ]
    for axes, _, series, color in lines:
        axes.plot(soak.minutes, series, color=color, lw=1.8)
    for axes in (memory, alive):
        axes.axvspan(soak.minutes[0], soak.warm_up, color=GRID, alpha=0.6, lw=0)
        # The axes start at zero: if a curve filled the panel, noise would look like growth.
        axes.set_ylim(0, None)
        axes.set_xlim(soak.minutes[0], soak.minutes[-1])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.12g}")
    memory.annotate("warm-up", (soak.minutes[0], 0), xytext=(6, 6), textcoords="offset points", color=FAINT)
    end = soak.minutes[-1]
    allowed = ("allowed", end, soak.allowed, {"color": "#d55e00", "fontsize": 9})
    for panel in (memory, alive):
        ends = [(name, end, series[-1], {"color": color, "fontsize": 9}) for axes, name, series, color in lines if axes is panel]
        name_lines(panel, ends + ([allowed] if panel is memory else []))
    return made
