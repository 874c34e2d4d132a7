# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Runs a probe under callgrind and reads the counts."""

import json
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

import package
from command import Failure

RETAIN = re.compile(r"swift_(nonatomic_)?(bridgeObject|unknownObject)?[rR]etain(_n)?\b")
RELEASE = re.compile(r"swift_(nonatomic_)?(bridgeObject|unknownObject)?[rR]elease(_n)?\b")
# The number of a closure inside a function, which follows the function's own symbol: U_, U0_, U1_.
CLOSURE = re.compile(r"U\d*_")


class Counts(NamedTuple):
    instructions: float
    retains: float
    releases: float
    allocations: float
    bytes: float


def symbols(program):
    """The symbols of a program's functions."""
    lines = [line.split() for line in package.output_of(["nm", "--defined-only", program]).splitlines()]
    return [parts[2] for parts in lines if len(parts) == 3 and parts[1] in "tT"]


def symbol_of(function, program, known):
    """The symbol of a function of the program's own module, among those that are `known`.

    A pattern would also match the closures in the function: when it calls one, callgrind would take that for a second entry and stop
    counting.
    """
    # It consists of letters, digits, underscores and dollars, none of which is special in callgrind's patterns.
    module = Path(program).name
    start = f"$s{len(module)}{module}{len(function)}{function}"
    found = [name for name in known if name.startswith(start) and not CLOSURE.search(name[len(start) :])]
    if len(found) != 1:
        which = f"has {len(found)} symbols that may be this function: {', '.join(found)}" if found else "has no symbol of this function"
        raise Failure(f"cannot watch {function}: {program} {which}; define it in the module {module}, not generic and never inlined")
    return found[0]


def counts(program, probe, symbol, runs):
    """The counts inside the function in each of some runs of a probe in one process, `runs` being their numbers of events. Leaves out
    the first run, in which the program prepares what it needs once. The program itself counts allocations and bytes."""
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory) / "callgrind.out"
        printed = package.output_of(
            [
                "env",
                # Bind symbols before the probe starts; otherwise that would count as its work.
                "LD_BIND_NOW=1",
                # Keys have the same place in dictionaries in each run.
                "SWIFT_DETERMINISTIC_HASHING=1",
                "valgrind",
                "--tool=callgrind",
                f"--toggle-collect={symbol}",
                # A profile ends where the next run begins, so that each contains the end of one run and the beginning of another.
                f"--dump-before={symbol}",
                f"--callgrind-out-file={output}",
                "--quiet",
                program,
                probe,
                # The last one only ends the profile of the run before it. Some probes need an even number.
                *map(str, [*runs, 2]),
            ],
            f"the probe {probe} under valgrind",
        )
        calls = len(list(Path(directory).glob("callgrind.out.*")))
        if calls != len(runs) + 1:
            seen = f"callgrind saw {calls} calls of {symbol} in {len(runs) + 1} runs of the probe {probe}"
            raise Failure(f"{seen}; each run must call it once, and it must not be inlined")
        # The first profile is of what comes before the first run.
        profiles = [Path(f"{output}.{number}").read_text() for number in range(2, len(runs) + 2)]
    heaps = [json.loads(line) for line in printed.splitlines()]
    return [Counts(*parsed(profile), heap["allocations"], heap["bytes"]) for profile, heap in zip(profiles, heaps)][1:]


def parsed(text):
    """Totals of a callgrind profile: instructions, and calls of the runtime's retain and release.

    The format names a function in full once, `cfn=(12) swift_retain`, and later by its number, `cfn=(12)`; the
    following line says how often it was called, `calls=3 ...`.
    """
    names = {}
    callee = ""
    instructions = retains = releases = 0
    for line in text.splitlines():
        if line.startswith(("fn=", "cfn=")):
            number, _, name = line.partition("=")[2].partition(" ")
            if name:
                names[number] = name
            if line.startswith("cfn="):
                callee = names[number]
        elif line.startswith("calls="):
            count = int(line[len("calls=") :].split()[0])
            # `match` starts at the beginning, so _swift_retain_, to which swift_retain jumps, is not counted as well.
            retains += count if RETAIN.match(callee) else 0
            releases += count if RELEASE.match(callee) else 0
        elif line.startswith("totals:"):
            instructions = int(line.split()[1])
    return instructions, retains, releases
