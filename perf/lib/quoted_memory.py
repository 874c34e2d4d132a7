# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The table that documents quote from the memory counts of the recorded run (perf/baselines/memory.json)."""

from typing import Any, NamedTuple

from command import Failure
from quoted_counts import joined

# The label of each row, and its pieces.
ROWS = {
    "a subject": ("idle: subject",),
    "a replay subject of capacity 16; a current value": ("idle: replay-subject", "idle: current-value"),
    "a property of a number; of a string": ("idle: property", "idle: property-string"),
    "a shared signal with its subject; a channel; a command": ("idle: share", "idle: channel", "idle: command"),
    "each of many subscribers of a subject or property, with its closure": ("subscriber: subject",),
    "the first of them, which is in the memory of the list": ("only-subscriber: subject",),
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


def pieces(counted: list[dict[str, Any]]) -> dict[str, Piece]:
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for number, each in enumerate(counted, 1):
        try:
            found.setdefault(f"{each['piece']}: {each['source']}", {})[each["implementation"]] = (each["bytes"], each["blocks"])
        except (KeyError, TypeError):
            raise Failure(
                f"perf/baselines/memory.json: result {number} is not one of perf/memory; record a new run, see 'Recorded results' in"
                " perf/README.md"
            ) from None
    return {name: Piece(forms["weir"], forms.get("mutex")) for name, forms in found.items() if "weir" in forms}


def table(found: dict[str, Piece]) -> str:
    lines = ["| | bytes | blocks |", "|---|---|---|"]
    for label, names in ROWS.items():
        for name in names:
            if name not in found:
                raise Failure(f"perf/baselines/memory.json has no '{name}'; record a new run, see 'Recorded results' in perf/README.md")
        columns = [[cell(found[name], place) for name in names] for place in (0, 1)]
        lines.append(f"| {label} | " + " | ".join(map(joined, columns)) + " |")
    return "\n".join(lines)


def cell(piece: Piece, place: int) -> str:
    written = (in_bytes, in_blocks)[place]
    return written(piece.ours[place]) + (f" ({written(piece.mutex[place])})" if piece.mutex else "")


def in_bytes(count: float) -> str:
    """Rounded half up, with a fraction only for small counts."""
    return f"{count:.1f}".removesuffix(".0") if count < 100 else f"{int(count + 0.5):,}"


def in_blocks(count: float) -> str:
    """Rounded, which leaves out blocks that are allocated only now and then."""
    return f"{count:.0f}"
