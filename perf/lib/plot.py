# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Draws series against time as an SVG that is readable on light and dark pages: panels below each other, one scale of time."""

import math
from html import escape
from typing import NamedTuple

WIDTH, PANEL, GAP = 760, 220, 46
LEFT, RIGHT, TOP, BOTTOM = 74, 24, 46, 46

STYLE = """
text{font:12px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#57606a}
.title{font-size:15px;fill:#1f2328}
.name{fill:#1f2328}
.end{text-anchor:end}.middle{text-anchor:middle}
.grid{stroke:#d0d7de;stroke-width:1}
.axis{fill:none;stroke:#57606a;stroke-width:1.5}
.band{fill:#8c959f;opacity:.12}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
.c0{stroke:#0969da}.c1{stroke:#bc4c00}.c2{stroke:#8250df}
.bound{stroke:#d1242f;stroke-width:1.5;stroke-dasharray:6 4}
@media (prefers-color-scheme:dark){
text{fill:#9aa4af}.title,.name{fill:#e6edf3}.grid{stroke:#30363d}.axis{stroke:#9aa4af}
.c0{stroke:#58a6ff}.c1{stroke:#f0883e}.c2{stroke:#bc8cff}.bound{stroke:#ff7b72}}
"""


class Panel(NamedTuple):
    """One scale of values."""

    unit: str
    # Pairs of a name and values, one for each time.
    series: list
    # A value that must not be exceeded, drawn as a line, and what to call it; None if there is none.
    bound: tuple = None


def svg(title, unit, times, panels, band=None):
    """The document.

    `unit` is that of the times, `band` a pair of a time and a name: what comes before that time is shaded.
    """
    height = TOP + len(panels) * (PANEL + GAP) - GAP + BOTTOM
    across = _Scale(times[0], times[-1], LEFT, WIDTH - RIGHT)
    parts = [_text(LEFT, 24, title, "title")]
    for number, panel in enumerate(panels):
        top = TOP + 10 + number * (PANEL + GAP)
        parts += _panel(panel, top, times, across, band)
    bottom = TOP + 10 + len(panels) * (PANEL + GAP) - GAP
    for tick in ticks(times[0], times[-1], 10):
        if tick <= times[-1]:
            parts.append(_text(across(tick), bottom + 18, number_text(tick), "middle"))
    parts.append(_text(WIDTH - RIGHT, bottom + 34, unit, "end"))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height + 10}" '
            f'viewBox="0 0 {WIDTH} {height + 10}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            *parts,
            "</svg>\n",
        ]
    )


def ticks(low, high, most):
    """Round numbers from at most `low` to at least `high`, about `most` of them."""
    span = high - low or 1
    power = 10 ** math.floor(math.log10(span / most))
    step = next(power * times for times in (1, 2, 5, 10) if span / (power * times) <= most)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 10) for number in range(first, last + 1)]


def number_text(value):
    return f"{value:,.10g}" if value != round(value) else f"{round(value):,}"


class _Scale:
    """Where a value stands."""

    def __init__(self, low, high, first, last):
        self.low, self.high, self.first, self.last = low, high, first, last

    def __call__(self, value):
        part = (value - self.low) / ((self.high - self.low) or 1)
        return round(self.first + part * (self.last - self.first), 1)


def _panel(panel, top, times, across, band):
    values = [value for _, series in panel.series for value in series] + ([panel.bound[0]] if panel.bound else [])
    # From zero on: a curve that fills the panel would make noise look like growth.
    marks = ticks(0, max(values), 5)
    down = _Scale(marks[0], marks[-1], top + PANEL, top)
    parts = []
    if band:
        parts.append(f'<rect class="band" x="{LEFT}" y="{top}" width="{across(band[0]) - LEFT:.1f}" height="{PANEL}"/>')
        parts.append(_text(LEFT + 6, top + 16, band[1]))
    for mark in marks:
        parts.append(f'<path class="grid" d="M{LEFT} {down(mark)} H{WIDTH - RIGHT}"/>')
        parts.append(_text(LEFT - 8, down(mark) + 4, number_text(mark), "end"))
    parts.append(f'<path class="axis" d="M{LEFT} {top} V{top + PANEL} H{WIDTH - RIGHT}"/>')
    parts.append(_text(LEFT - 8, top - 10, panel.unit, "end"))
    left = LEFT + 10
    for color, (name, series) in enumerate(panel.series):
        points = " ".join(f"{across(time)},{down(value)}" for time, value in zip(times, series))
        parts.append(f'<polyline class="line c{color}" points="{points}"/>')
        parts.append(f'<path class="line c{color}" d="M{left} {top - 14} h18"/>')
        parts.append(_text(left + 24, top - 10, name, "name"))
        left += 44 + 7 * len(name)
    if panel.bound:
        value, name = panel.bound
        parts.append(f'<path class="bound" d="M{LEFT} {down(value)} H{WIDTH - RIGHT}"/>')
        parts.append(_text(WIDTH - RIGHT, down(value) - 6, name, "end"))
    return parts


def _text(x, y, text, style=""):
    return f'<text class="{style}" x="{x}" y="{y}">{escape(text)}</text>'
