# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The main plot: nanoseconds per event by scenario and implementation, as groups of bars."""

import math
from typing import NamedTuple

from implementations import in_order, look
from plotting import FAINT, TEXT, figure, logarithmic
from series import Figures
from table import nanoseconds

# What readers ask about first, and other implementations can do as well.
SCENARIOS = {
    "emit/1": "send to 1 subscriber",
    "emit/8": "send to 8 subscribers",
    "emit/64": "send to 64 subscribers",
    "hot-chain/3": "3 operators on a subject",
    "hot-chain-plain/3": "the same, no captures",
    "scan-distinct-take": "scan, distinct, take",
    "cold-chain/3": "3 operators on a range",
    "merge/8": "merge of 8",
    "combine-latest/2": "combineLatest of 2",
    "zip/2": "zip of 2",
    "flat-map-just": "flatMap to one value",
    "replay-emit/16": "send, last 16 retained",
    "current-set/1": "set a current value",
    "current-read": "read a current value",
    "subscribe-dispose/0": "subscribe and dispose",
    "subscribe-zip/2": "the same, zip of 2",
    "contended/2": "2 threads send to 4",
    "hop/subject": "send to another thread",
    "score": "score of a word",
}
# The height of a bar in inches, and that of a gap as a number of bars.
BAR, GAP = 0.165, 1.0


def main_scenarios(figures: Figures) -> dict[str, str]:
    """The scenarios that were measured for Weir, with their labels."""
    return {scenario: label for scenario, label in SCENARIOS.items() if "weir" in figures.ns.get(scenario, {})}


class Row(NamedTuple):
    label: str
    ns: dict[str, float]
    # Remarks on implementations that lose events.
    remarks: dict[str, str]

    @property
    def bars(self) -> int:
        return len(self.ns.keys() - {"limit"})


def overview(figures: Figures):
    """Two columns on the same scale; None if only Weir was measured."""
    rows = [row(figures, scenario, label) for scenario, label in main_scenarios(figures).items()]
    rows = [row for row in rows if row.bars > 1]
    if not rows:
        return None
    columns = halves(rows)
    height = max(sum(row.bars + GAP for row in column) for column in columns)
    made, panels = figure("Nanoseconds per event: shorter is better", 5.4 * len(columns), 0.9 + BAR * height, len(columns), sharex=True)
    made.get_layout_engine().set(wspace=0.06)
    every = [ns for row in rows for ns in row.ns.values()]
    low = 10 ** math.floor(math.log10(min(every)))
    for axes, column in zip(panels, columns):
        axes.set_xlim(low, 30 * max(every))
        logarithmic(axes.xaxis)
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        draw(axes, column, low)
        axes.set_ylim(height - GAP / 2, -GAP / 2 - 0.5)
    panels[0].set_xlabel("Bold: Weir, in ns. Others: as a multiple of Weir.")
    if any("limit" in row.ns for row in rows):
        panels[-1].set_xlabel("Black line: the same work without any library.")
    return made


def row(figures: Figures, scenario: str, label: str) -> Row:
    remarks = {name: f", loses {part:.0%}" for (where, name), part in figures.lost.items() if where == scenario}
    return Row(label, figures.summed_up(scenario), remarks)


def halves(rows: list[Row]) -> list[list[Row]]:
    """The rows in two columns of about the same height; few rows stay in one."""
    if len(rows) < 4:
        return [rows]
    heights = [row.bars + GAP for row in rows]
    split = min(range(1, len(rows)), key=lambda place: abs(sum(heights[:place]) - sum(heights[place:])))
    return [rows[:split], rows[split:]]


def draw(axes, rows: list[Row], low: float) -> None:
    """Draws a group of bars for each row, from the top down."""
    y, ticks = 0.0, []
    for row in rows:
        top = y
        names = in_order(row.ns.keys() - {"limit"})
        for name in names:
            is_weir, style, ns = name == "weir", look(name, names), row.ns[name]
            axes.barh(y, ns - low, left=low, height=0.84, color=style.color, alpha=1 if is_weir else 0.6)
            beside = nanoseconds(ns) if is_weir else f"{style.name}  {times(ns / row.ns['weir'])}"
            axes.annotate(
                beside + row.remarks.get(name, ""),
                (clear_of(row.ns.get("limit"), ns), y),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=TEXT if is_weir else FAINT,
                fontweight="bold" if is_weir else "normal",
            )
            y += 1
        if "limit" in row.ns:
            axes.plot([row.ns["limit"]] * 2, [top - 0.5, y - 0.5], color=TEXT, lw=1.5, solid_capstyle="butt")
        ticks.append(((top + y - 1) / 2, row.label))
        y += GAP
    axes.set_yticks([place for place, _ in ticks], [label for _, label in ticks])


def clear_of(limit: float | None, ns: float) -> float:
    """Where the text next to a bar begins: behind the line of the limit, if that would cross the text."""
    return limit if limit is not None and ns < limit < 10 * ns else ns


def times(ratio: float) -> str:
    return f"{ratio:.2f}×" if ratio < 0.995 else f"{ratio:.1f}×" if ratio < 9.95 else f"{ratio:,.0f}×"
