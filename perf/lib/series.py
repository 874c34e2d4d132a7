# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Results in the form that plots and tables need: figures by scenario and implementation, and lines over sizes."""

import re
from typing import NamedTuple

from limits import limit_of
from results import Result, lost
from table import MUTEXES, by_name, statistic


class Line(NamedTuple):
    implementation: str
    # Sizes, in ascending order.
    x: list[int]
    # Nanoseconds.
    y: list[float]


class Figures:
    """Nanoseconds by scenario and implementation: the fastest repetition, or the median where several threads take part."""

    def __init__(self, results: list[Result]):
        self.ns: dict[str, dict[str, float]] = {}
        # The fraction of the events that never arrived, if that is not zero.
        self.lost: dict[tuple[str, str], float] = {}
        # The medians of the figures that are fastest repetitions.
        self.medians: dict[tuple[str, str], float] = {}
        for (scenario, implementation), result in by_name(results).items():
            self.ns.setdefault(scenario, {})[implementation] = result[statistic(scenario)]
            if statistic(scenario) == "ns_min":
                self.medians[scenario, implementation] = result["ns_median"]
            if lost(result):
                self.lost[scenario, implementation] = lost(result)

    def row(self, scenario: str) -> dict[str, float]:
        """The figures of a scenario by implementation, with the limit that belongs to it."""
        found = dict(self.ns.get(scenario, {}))
        limit = self.ns.get(limit_of(scenario) or "", {}).get("limit")
        return found if limit is None else {"limit": limit} | found

    def median_of(self, scenario: str, implementation: str) -> float | None:
        """The median of a figure in the row of a scenario; None if the figure is a median itself."""
        measured = implementation != "limit" or "limit" in self.ns[scenario]
        return self.medians.get((scenario if measured else limit_of(scenario), implementation))

    def summed_up(self, scenario: str) -> dict[str, float]:
        """The row with only the fastest of the mutex implementations, as `mutex`."""
        found = self.row(scenario)
        mutexes = [ns for name, ns in found.items() if name in MUTEXES]
        rest = {name: ns for name, ns in found.items() if name not in MUTEXES}
        return rest | ({"mutex": min(mutexes)} if mutexes else {})

    def lines(self, family: str, suffix: str = "") -> list[Line]:
        """A line for each implementation that was measured with several sizes, in scenarios named `family/SIZEsuffix`."""
        pattern = re.compile(re.escape(family) + r"/(\d+)" + re.escape(suffix) + r"\Z")
        return self.lines_of({int(match[1]): scenario for scenario in self.ns if (match := pattern.match(scenario))})

    def lines_of(self, scenarios: dict[int, str]) -> list[Line]:
        """The same for scenarios with any names; the keys are sizes."""
        points: dict[str, list[tuple[int, float]]] = {}
        for size, scenario in sorted(scenarios.items()):
            for implementation, ns in self.summed_up(scenario).items():
                points.setdefault(implementation, []).append((size, ns))
        return [Line(name, *map(list, zip(*found))) for name, found in points.items() if len(found) > 1]
