# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The names and looks of implementations in plots: Weir stands out, and similar implementations look similar."""

from typing import Any, NamedTuple


class Look(NamedTuple):
    name: str
    color: str
    marker: str = "o"
    # How lines are drawn: those of Weir thick, those of limits dotted.
    width: float = 1.6
    dashes: Any = "-"


WEIR = "#0072b2"
# The palette of Okabe and Ito: people with any kind of colour vision can distinguish these colours on white.
LOOKS = {
    "weir": Look("Weir", WEIR, "o", 3.2),
    "weir-one": Look("Weir, one worker", WEIR, "v", 2.2, (0, (1, 1.5))),
    "weir-spinning": Look("Weir, spinning", "#003a5d", "^", 2.2),
    "weir-thread": Look("Weir, thread with a mutex", WEIR, "D", 2.2, (0, (4, 1.5))),
    "weir-values": Look("Weir, to a task", "#56b4e9", "<", 1.6),
    "weir-chunks": Look("Weir, to a task, in arrays", "#56b4e9", ">", 1.6, "--"),
    "mutex": Look("fastest mutex", "#d55e00", "s"),
    "mutex-copy": Look("mutex, call outside", "#d55e00", "s"),
    "mutex-inside": Look("mutex, call inside", "#d55e00", "^", dashes="--"),
    "mutex-snapshot": Look("mutex, without ARC", "#d55e00", "v", dashes=":"),
    "opencombine": Look("OpenCombine", "#cc79a7", "D"),
    "async-algorithms": Look("AsyncAlgorithms", "#009e73", "P"),
    "async-stream": Look("AsyncStream", "#009e73", "X", dashes="--"),
    "async-channel": Look("AsyncChannel", "#009e73", "*", dashes=":"),
    "dispatch": Look("Dispatch", "#b58900", "h"),
    "limit-condition": Look("mutex and condition", "#7f7f7f", "d", dashes=(0, (1, 1))),
    "limit": Look("limit of the machine", "#24292f", "|", 1.2, ":"),
}
# For implementations that are not in LOOKS.
OTHERS = ["#56b4e9", "#8c6bb1", "#a6761d"]


def look(implementation: str, among: list[str]) -> Look:
    """The look of an implementation. `among` lists all that are drawn, so that unknown ones get different colours."""
    if implementation in LOOKS:
        return LOOKS[implementation]
    unknown = sorted(name for name in among if name not in LOOKS)
    return Look(implementation, OTHERS[unknown.index(implementation) % len(OTHERS)])


def in_order(implementations: set[str]) -> list[str]:
    """The implementations in the order of LOOKS; then the others, by name; then the limit."""
    known = [name for name in LOOKS if name in implementations and name != "limit"]
    return known + sorted(implementations - LOOKS.keys()) + sorted(implementations & {"limit"})
