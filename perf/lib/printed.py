# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Reads times from the printed output of perf/run, for a run of which nothing else was kept."""

import itertools
import re

from results import Result


def results(text: str) -> list[Result]:
    """The results in all tables of scenarios, without quartiles, allocations and losses."""
    lines = text.splitlines()
    found = []
    for number, (heading, rule) in enumerate(itertools.pairwise(lines)):
        if heading.startswith("scenario ") and re.fullmatch("-+(  -+)+", rule):
            rows = itertools.takewhile(str.strip, lines[number + 2 :])
            found += itertools.chain.from_iterable(cells(heading, rule, row) for row in rows)
    return found


def cells(heading: str, rule: str, row: str) -> list[Result]:
    """The results in a row: each cell has the fastest repetition, the median in parentheses, and a ratio."""
    first, *columns = (slice(*match.span()) for match in re.finditer("-+", rule))
    measured = [(heading[column].strip(), re.match(r"([\d.]+) \(([\d.]+)\)", row[column].strip())) for column in columns]
    return [
        {"scenario": row[first].strip(), "implementation": name, "ns_min": float(cell[1]), "ns_median": float(cell[2])}
        for name, cell in measured
        if cell
    ]
