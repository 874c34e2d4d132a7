# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The tables in perf/mutation: what is mutated, which suites run, the verdict on each mutant, and why some survive."""

from pathlib import Path
from typing import NamedTuple

from command import Failure, write_whole

FOLDER = Path(__file__).resolve().parents[1] / "mutation"
SURVIVED = "survived"
UNEXPLAINED = "not explained"
# Why a mutant may survive: perf/mutation/survivors.tsv has one of these for each, with the reason.
CLASSES = ("equivalent", "covered elsewhere", "weak hardware", "hint", "rare", UNEXPLAINED)


class Result(NamedTuple):
    """A line of results.tsv."""

    name: str
    verdict: str
    suite: str
    seconds: str


class Survivor(NamedTuple):
    """A line of survivors.tsv."""

    name: str
    kind: str
    reason: str


def rows(file, columns):
    """The lines of a table with tabs between columns; those that begin with # are comments."""
    path = FOLDER / file
    if not path.exists():
        return []
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != columns:
            raise Failure(f"{path}:{number}: has {len(cells)} columns instead of {columns}; separate them with tabs")
        found.append(cells)
    return found


def suites():
    """The regular expression that selects the tests of a suite, by the key of the suite."""
    return dict(rows("suites.tsv", 2))


def files():
    """The keys of the suites by file, in the order in which they run; empty for a file that is not covered."""
    known = suites()
    found = {}
    for path, keys in rows("files.tsv", 2):
        found[path] = [] if keys == "-" else keys.split()
        for key in found[path]:
            if key not in known:
                raise Failure(f"perf/mutation/files.tsv: {path}: suites.tsv has no suite '{key}'; correct the key, or add it there")
    return found


def results():
    return {row[0]: Result(*row) for row in rows("results.tsv", 4)}


def survivors():
    found = {}
    for row in rows("survivors.tsv", 3):
        survivor = Survivor(*row)
        if survivor.kind not in CLASSES:
            raise Failure(f"perf/mutation/survivors.tsv: {survivor.name}: '{survivor.kind}' is not one of: {', '.join(CLASSES)}")
        found[survivor.name] = survivor
    return found


def write_results(found, names):
    """Writes the known results of these mutants, in the order of their names."""
    head = "# mutant\tverdict\tsuite\tseconds. Written by perf/mutants.\n"
    lines = ("\t".join(found[name]) + "\n" for name in names if name in found)
    write_whole(FOLDER / "results.tsv", head + "".join(lines))


def complaints(names, found):
    """What is wrong with the records, given the names of all mutants: pairs of a name and a message."""
    known = survivors()
    for name in names:
        if name not in found:
            yield name, f"has no recorded verdict; run: perf/mutants {name}"
        elif found[name].verdict == SURVIVED and name not in known:
            yield name, "survives; write a test that kills it, or explain in perf/mutation/survivors.tsv why it may survive"
        elif found[name].verdict != SURVIVED and name in known and known[name].kind != "rare":
            yield name, "is killed, so its line in perf/mutation/survivors.tsv is out of date; remove it"
    for name in sorted((found.keys() | known.keys()) - set(names)):
        yield name, "is recorded, but no longer exists; remove its lines from perf/mutation/results.tsv and survivors.tsv"
