# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""What events cost when that was last recorded, and how far counts of today are from it."""

import json
import platform
from pathlib import Path
from typing import NamedTuple

import machine
from callgrind import Counts
from command import Failure, write_whole

# Instructions may differ by a part and a few more: where a loop begins, what the compiler puts into a register. The rest is exact but for
# what is done now and then, which falls to few events or many; bytes of that vary more.
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
    # What it was recorded with: names and versions.
    conditions: dict[str, str]
    probes: dict[str, Counts]


def conditions() -> dict[str, str]:
    """What else counts depend on."""
    return {"swift": machine.swift(), "library": " ".join(platform.libc_ver()), "processor": platform.machine()}


def read(path: Path) -> Baseline:
    try:
        found = json.loads(path.read_text())
        return Baseline(found["conditions"], {name: Counts(**counts) for name, counts in found["probes"].items()})
    except FileNotFoundError:
        raise Failure(f"there is no {path}; write it: perf/instructions --record") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Failure(f"{path} is not what perf/instructions --record writes ({error!r}); write it anew") from None


def write(path: Path, probes: dict[str, Counts]) -> None:
    """One line a probe, so that a difference shows what changed."""
    lines = []
    for name, counts in probes.items():
        # What happens once in ten thousand events is not one of theirs. Adding zero makes zero of minus zero.
        figures = {what: round(figure, 2) + 0.0 for what, figure in counts._asdict().items()}
        lines.append(f"    {json.dumps(name)}: {json.dumps(figures)}")
    head = json.dumps({"conditions": conditions()}, indent=2)[:-2]
    write_whole(path, head + ',\n  "probes": {\n' + ",\n".join(lines) + "\n  }\n}\n")


def changes(before: dict[str, Counts], now: dict[str, Counts]) -> list[Change]:
    """What is beyond the tolerance, of the probes that both have."""
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
    """Which conditions are others."""
    return [f"{name} {now[name]}, recorded with {before.get(name, 'nothing said')}" for name in now if before.get(name) != now[name]]
