# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The recorded costs of events, and how far new counts differ from them."""

import json
import platform
from pathlib import Path
from typing import NamedTuple

import machine
from callgrind import Counts
from command import Failure, write_whole

# Instructions may differ by a fraction and a few more, depending on where a loop begins and what the compiler keeps in registers. The
# rest is exact except for occasional work, whose share per event varies, and that of its bytes varies more.
PART = 0.03
MORE = {"instructions": 2.0, "retains": 0.01, "releases": 0.01, "allocations": 0.01, "bytes": 1.0}


class Change(NamedTuple):
    probe: str
    what: str
    before: float
    now: float

    @property
    def is_worse(self) -> bool:
        return self.now > self.before


class Baseline(NamedTuple):
    # The compiler, C library and processor that it was recorded with.
    conditions: dict[str, str]
    probes: dict[str, Counts]


def conditions() -> dict[str, str]:
    """What the counts depend on besides the code."""
    return {"swift": machine.swift(), "library": " ".join(platform.libc_ver()), "processor": platform.machine()}


def read(path: Path) -> Baseline:
    try:
        found = json.loads(path.read_text())
        return Baseline(found["conditions"], {name: Counts(**counts) for name, counts in found["probes"].items()})
    except FileNotFoundError:
        raise Failure(f"{path} does not exist; create it with perf/instructions --record") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Failure(f"{path} is not a file of perf/instructions --record ({error!r}); write it again with that command") from None


def write(path: Path, probes: dict[str, Counts]) -> None:
    """Writes one line for each probe, so that a diff shows what has changed."""
    lines = []
    for name, counts in probes.items():
        # Rounded, so that what happens once in ten thousand events is not a cost of each. Adding zero turns minus zero into zero.
        figures = {what: round(figure, 2) + 0.0 for what, figure in counts._asdict().items()}
        lines.append(f"    {json.dumps(name)}: {json.dumps(figures)}")
    head = json.dumps({"conditions": conditions()}, indent=2)[:-2]
    write_whole(path, head + ',\n  "probes": {\n' + ",\n".join(lines) + "\n  }\n}\n")


def changes(before: dict[str, Counts], now: dict[str, Counts]) -> list[Change]:
    """The counts that differ by more than the tolerance, of the probes that are in both."""
    found = []
    for name in now:
        if name not in before:
            continue
        for what, more in MORE.items():
            old, new = getattr(before[name], what), getattr(now[name], what)
            slack = more + (PART * old if what == "instructions" else 0)
            # The baseline is rounded.
            if abs(new - old) > slack + 0.005:
                found.append(Change(name, what, old, new))
    return found


def differing(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """The conditions that differ."""
    return [f"{name} {now[name]}, recorded with {before.get(name, 'an unknown one')}" for name in now if before.get(name) != now[name]]
