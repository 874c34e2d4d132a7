# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Reads the printed output of perf/run, for a run of which nothing else was kept."""

import itertools
import re
from collections.abc import Iterator

from results import Result


def tables(text: str) -> Iterator[list[list[str]]]:
    """The tables of scenarios, as `table.aligned` makes them: rows of cells, headings first."""
    lines = text.splitlines()
    for number, (heading, rule) in enumerate(itertools.pairwise(lines)):
        if heading.startswith("scenario ") and re.fullmatch("-+(  -+)+", rule):
            columns = [slice(*match.span()) for match in re.finditer("-+", rule)]
            rows = [heading, *itertools.takewhile(str.strip, lines[number + 2 :])]
            yield [[row[column].strip() for column in columns] for row in rows]


def results(text: str) -> list[Result]:
    """The results in all tables of scenarios, without quartiles, allocations and losses."""
    found = []
    for (_, *names), *rows in tables(text):
        found += itertools.chain.from_iterable(cells(names, row) for row in rows)
    return found


def cells(names: list[str], row: list[str]) -> list[Result]:
    """The results in a row: each cell has the fastest repetition, the median in parentheses, and a ratio."""
    scenario, *rest = row
    measured = [(name, re.match(r"([\d.]+) \(([\d.]+)\)", cell)) for name, cell in zip(names, rest)]
    return [
        {"scenario": scenario, "implementation": name, "ns_min": float(cell[1]), "ns_median": float(cell[2])}
        for name, cell in measured
        if cell
    ]
