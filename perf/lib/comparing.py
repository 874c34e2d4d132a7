# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Compares two result files, and separates changes from noise.

Between two runs the machine itself may have become slower, and not for all code alike: tight loops lose a tenth while code with a large
footprint takes 1.7 times as long. So each scenario of Weir is compared with its references, whose code is the same in both runs: the
limit that belongs to the scenario and its other implementations. The remaining difference is a change if it exceeds the tolerance, which
is widened by the spread of all these figures. Allocations and bytes do not depend on the machine's speed."""

import math
import statistics
from typing import NamedTuple

from limits import limit_of
from results import Key, Result, is_asked_for
from table import by_name, meets_threads, statistic

TOLERANCE = 1.3
# By how much occasional allocations may change the average, which depends on the number of operations in a repetition. One allocation
# for each event would be 1.
HEAP_SLACK = {"allocations": 0.1, "bytes": 4.0}


class Comparison(NamedTuple):
    scenario: str
    implementation: str
    before: float
    now: float
    # How much slower the machine was in this scenario, and the ratio above which a difference is not noise.
    drift: float
    bound: float
    # The heap figures that differ: by name, the values before and now.
    heap: dict[str, tuple[float, float]]

    @property
    def ratio(self) -> float:
        """How much longer it takes, without the change of the machine."""
        return self.now / self.before / self.drift

    @property
    def is_worse(self) -> bool:
        return self.ratio > self.bound or any(now > before for before, now in self.heap.values())

    @property
    def is_better(self) -> bool:
        return not self.is_worse and (self.ratio < 1 / self.bound or bool(self.heap))


class Report(NamedTuple):
    comparisons: list[Comparison]
    # The scenarios and implementations that only one of the files has.
    new: list[Key]
    vanished: list[Key]
    # The scenarios in which Weir loses events now but did not before.
    lossy: list[Key]
    # How much slower the limits are on average; None if the files have no limit in common.
    limits: float | None

    @property
    def worse(self) -> list[Comparison]:
        return [comparison for comparison in self.comparisons if comparison.is_worse]

    @property
    def unmeasured(self) -> list[Key]:
        """The scenarios of Weir that are no longer measured: they may have become slower unnoticed."""
        return [key for key in self.vanished if is_weir(key[1])]


def is_weir(implementation: str) -> bool:
    return implementation == "weir" or implementation.startswith("weir-")


def compared(before: list[Result], now: list[Result], tolerance: float = TOLERANCE, only: str | None = None) -> Report:
    """Compares the scenarios whose names contain one of the comma-separated parts in `only`. Limits are used whatever their names are."""
    old, new = by_name(before), by_name(now)
    common = [key for key in new if key in old]
    limits = [ratio(old, new, key) for key in common if key[1] == "limit"]
    ours = [key for key in common if is_weir(key[1]) and is_asked_for(key[0], only)]
    return Report(
        comparisons=[comparison(old, new, key, tolerance) for key in ours],
        new=[key for key in new if key not in old and is_asked_for(key[0], only)],
        vanished=[key for key in old if key not in new and is_asked_for(key[0], only)],
        lossy=[key for key in ours if new[key].get("failed") and not old[key].get("failed")],
        limits=statistics.geometric_mean(limits) if limits else None,
    )


def comparison(old: dict[Key, Result], new: dict[Key, Result], key: Key, tolerance: float) -> Comparison:
    before, now = old[key], new[key]
    figure = statistic(key[0])
    drift, doubt = machine(old, new, key[0])
    return Comparison(
        *key,
        before=before[figure],
        now=now[figure],
        drift=drift,
        bound=tolerance * (1 + math.hypot(spread(before), spread(now), doubt)),
        heap={} if meets_threads(key[0]) else dict(heap_changes(before, now)),
    )


def ratio(old: dict[Key, Result], new: dict[Key, Result], key: Key) -> float:
    figure = statistic(key[0])
    return new[key][figure] / old[key][figure]


def machine(old: dict[Key, Result], new: dict[Key, Result], scenario: str) -> tuple[float, float]:
    """How much longer the references of the scenario take, and the uncertainty of that as a fraction: from how much they disagree, and how
    much their repetitions vary."""
    beside = belonging(scenario, [key for key in new if key in old])
    if not beside:
        return 1.0, 0.0
    ratios = [ratio(old, new, key) for key in beside]
    drift = statistics.median(ratios)
    disagreement = statistics.median(abs(math.log(it / drift)) for it in ratios)
    return drift, math.hypot(disagreement, statistics.median(math.hypot(spread(old[key]), spread(new[key])) for key in beside))


def belonging(scenario: str, common: list[Key]) -> list[Key]:
    """The other implementations of the scenario, and its limit; if there are none, all limits."""
    beside = [key for key in common if key[0] == scenario and not is_weir(key[1])]
    if (scenario, "limit") not in beside:
        beside += [key for key in common if key == (limit_of(scenario), "limit")]
    return beside or [key for key in common if key[1] == "limit"]


def spread(result: Result) -> float:
    """The uncertainty of the figure that is compared, as a fraction.

    For the fastest repetition it is the distance between the fastest odd and the fastest even repetition; for the median, the distance
    between the quartiles. Older files lack the two fastest, so quartiles are used there: these include slow phases of the machine, which
    the fastest repetition excludes, so bounds are wider than necessary.
    """
    if statistic(result["scenario"]) == "ns_min" and has_halves(result):
        return abs(result["ns_min_odd"] - result["ns_min_even"]) / result["ns_min"]
    low, high = result.get("ns_q1"), result.get("ns_q3")
    if low is None or high is None:
        low, high = result["ns_min"], result["ns_median"]
    return (high - low) / result["ns_median"]


def has_halves(result: Result) -> bool:
    return result.get("ns_min_odd") is not None and result.get("ns_min_even") is not None


def heap_changes(before: Result, now: Result):
    for key, slack in HEAP_SLACK.items():
        old, new = before.get(key), now.get(key)
        if old is not None and new is not None and abs(new - old) > slack:
            yield key, (old, new)
