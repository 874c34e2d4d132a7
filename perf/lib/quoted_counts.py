# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The table that documents quote from the recorded counts (perf/baselines/instructions.json)."""

from callgrind import Counts
from command import Failure

# The label of each row, and its probes.
ROWS = {
    "send to one subscriber; to 64": ("emit", "emit-64"),
    "value through map, filter, map of a hot chain; through ten maps": ("hot-chain", "hot-maps"),
    "the first on a signal from a property; if its last closure captures something; if each does": (
        "hot-chain-stored",
        "hot-chain-last-keeping",
        "hot-chain-keeping",
    ),
    "value through fifteen operators, one of each kind, in a hot chain that can fail": ("hot-kinds",),
    "send to one subscriber, 16 values retained": ("replay-emit",),
    "current value set, one subscriber": ("current-set",),
    "property set, one observer": ("property-set",),
    "number read from a current value or a property": ("current-read",),
    "value replayed to a new subscriber": ("replay-late",),
    "element through map, filter, map of a cold chain": ("cold-chain",),
    "value that does not need to change threads": ("hop-not-needed",),
    "value that will be delayed; its delivery": ("delay-send", "delay-deliver"),
    "value through a merge of 2; with map, filter, map before each signal": ("merge", "merge-chains"),
    "value into a zip of 2, a map and a subscriber": ("zip",),
    "value into a combineLatest of 2, a map and a subscriber": ("combine-latest",),
    "value of the signal that has won a `race`": ("race",),
    "value before the trigger of a take(until:) fires": ("take-until",),
    "value through a flatMap to one value; with `.concat`": ("flat-map-just", "concat-map-just"),
    "value through a flatMap to a signal with an operator": ("flat-map-inner",),
    "subscribe and dispose": ("subscribe-dispose",),
    "the same with map, filter, map; a flatMap; a concat of 2; a merge of 2; a combineLatest of 2; a zip of 2": (
        "subscribe-chain",
        "subscribe-flat-map",
        "subscribe-concat",
        "subscribe-merge",
        "subscribe-combine-latest",
        "subscribe-zip",
    ),
    "a merge of 2 with map, filter, map before each signal; a combineLatest": (
        "subscribe-merge-chains",
        "subscribe-combine-latest-chains",
    ),
    "map, filter, map on a signal from a property, subscribed and disposed": ("subscribe-chain-stored",),
    "a shared signal subscribed and disposed, beside another subscriber": ("subscribe-share",),
    "command executed, and its result subscribed to": ("command-execute",),
    "subject created, subscribed, sent to, completed and released; a property": ("subject-life", "property-life"),
}


def table(found: dict[str, Counts]) -> str:
    lines = ["| | instructions | retains | allocations |", "|---|---|---|---|"]
    for label, probes in ROWS.items():
        for probe in probes:
            if probe not in found:
                raise Failure(f"perf/baselines/instructions.json has no probe {probe}; run perf/instructions --record")
        counts = [found[probe] for probe in probes]
        columns = ([instructions(each.instructions) for each in counts], whole(counts, "retains"), whole(counts, "allocations"))
        lines.append(f"| {label} | " + " | ".join(map(joined, columns)) + " |")
    return "\n".join(lines)


def instructions(count: float) -> str:
    return f"{count:.1f}" if count < 10 else f"{count:,.0f}"


def whole(counts: list[Counts], what: str) -> list[str]:
    """Rounded, which leaves out occasional work such as sweeping a list."""
    return [f"{getattr(each, what):.0f}" for each in counts]


def joined(cells: list[str]) -> str:
    """The cells joined, or only one of them if all are the same."""
    return cells[0] if len(set(cells)) == 1 else "; ".join(cells)
