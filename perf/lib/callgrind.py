# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Runs a probe under callgrind and reads what it counted."""

import json
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

import package
from command import Failure

RETAIN = re.compile(r"swift_(nonatomic_)?(bridgeObject|unknownObject)?[rR]etain(_n)?\b")
RELEASE = re.compile(r"swift_(nonatomic_)?(bridgeObject|unknownObject)?[rR]elease(_n)?\b")


class Counts(NamedTuple):
    instructions: float
    retains: float
    releases: float
    allocations: float
    bytes: float


def counts(program, probe, function, events):
    """What happens inside `function` while `program` handles so many events. What it asks of the heap, the program counts itself."""
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory) / "callgrind.out"
        printed = package.output_of(
            [
                "env",
                # Symbols are bound before the probe starts: binding them inside would count as its work.
                "LD_BIND_NOW=1",
                # Where a key stands in a dictionary is the same in each run.
                "SWIFT_DETERMINISTIC_HASHING=1",
                "valgrind",
                "--tool=callgrind",
                f"--toggle-collect=*{function}*",
                f"--callgrind-out-file={output}",
                "--quiet",
                program,
                probe,
                str(events),
            ]
        )
        instructions, retains, releases = parsed(output.read_text())
    if instructions == 0:
        raise Failure(f"callgrind saw no call of {function} in {probe}; it must exist in WeirProbe and not be inlined")
    heap = json.loads(printed)
    return Counts(instructions, retains, releases, heap["allocations"], heap["bytes"])


def parsed(text):
    """Totals of a callgrind profile: instructions, and calls of the runtime's retain and release.

    The format names a function in full once, `cfn=(12) swift_retain`, and later by its number, `cfn=(12)`; the
    line after it says how often it was called, `calls=3 ...`.
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
            # match: from the start, so that _swift_retain_, which swift_retain jumps to, is not counted again.
            retains += count if RETAIN.match(callee) else 0
            releases += count if RELEASE.match(callee) else 0
        elif line.startswith("totals:"):
            instructions = int(line.split()[1])
    return instructions, retains, releases
