# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The table that documents quote from the memory counts of the recorded run (perf/baselines/run.txt)."""

from typing import NamedTuple

import printed
from command import Failure
from quoted_counts import joined

# The label of each row, and its pieces.
ROWS = {
    "a subject": ("idle: subject",),
    "a replay subject of capacity 16; a current value": ("idle: replay-subject", "idle: current-value"),
    "a property of a number; of a string": ("idle: property", "idle: property-string"),
    "a shared signal with its subject; a channel; a command": ("idle: share", "idle: channel", "idle: command"),
    "each of many subscribers of a subject or property, with its closure": ("subscriber: subject",),
    "the first of them, for which the list and the pool are created": ("only-subscriber: subject",),
    "each of many subscribers of a shared signal": ("subscriber: share",),
    "a number retained by a full replay subject: capacity 16; 1,024; unbounded": (
        "retained-value: replay-subject/16",
        "retained-value: replay-subject/1024",
        "retained-value: replay-subject/unbounded",
    ),
}


class Piece(NamedTuple):
    """Bytes and blocks of Weir and of the mutex baseline, or None if the baseline has no such piece."""

    ours: tuple[float, float]
    mutex: tuple[float, float] | None


def pieces(text: str) -> dict[str, Piece]:
    for _, *rows in printed.tables(text, "piece"):
        return {name: Piece(pair(cells[:2]), pair(cells[2:4])) for name, *cells in rows}
    raise Failure("perf/baselines/run.txt has no table of memory; record a run without --only, see 'Recorded results' in perf/README.md")


def pair(cells: list[str]) -> tuple[float, float] | None:
    return (float(cells[0]), float(cells[1])) if all(cells) else None


def table(found: dict[str, Piece]) -> str:
    lines = ["| | bytes | blocks |", "|---|---|---|"]
    for label, names in ROWS.items():
        for name in names:
            if name not in found:
                raise Failure(f"perf/baselines/run.txt has no row '{name}'; record a new run, see 'Recorded results' in perf/README.md")
        columns = [[cell(found[name], place) for name in names] for place in (0, 1)]
        lines.append(f"| {label} | " + " | ".join(map(joined, columns)) + " |")
    return "\n".join(lines)


def cell(piece: Piece, place: int) -> str:
    written = (in_bytes, in_blocks)[place]
    return written(piece.ours[place]) + (f" ({written(piece.mutex[place])})" if piece.mutex else "")


def in_bytes(count: float) -> str:
    """Rounded half up, with a fraction only for small counts."""
    return f"{count:.1f}" if count < 100 and count != int(count) else f"{int(count + 0.5):,}"


def in_blocks(count: float) -> str:
    """Rounded, which leaves out blocks that are allocated only now and then."""
    return f"{count:.0f}"
