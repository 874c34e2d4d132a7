# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Reads files of results as perf/run --json writes them."""

import json
import math
from pathlib import Path
from typing import Any

from command import USAGE, Failure

# One object of the file. What an older file does not have is unknown: result.get(key) is None.
Result = dict[str, Any]
# Scenario and implementation.
Key = tuple[str, str]


def read(path: Path) -> list[Result]:
    try:
        found = json.loads(path.read_text())
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}; name a file that perf/run --json has written", USAGE) from None
    except RecursionError:
        raise Failure(f"{path} is nested too deeply to be results; name a file that perf/run --json has written", USAGE) from None
    except ValueError as error:
        raise Failure(f"{path} is not JSON ({error}); name a file that perf/run --json has written", USAGE) from None
    if not isinstance(found, list) or not found:
        raise Failure(f"{path} is not an array of results; name a file that perf/run --json has written", USAGE)
    for number, result in enumerate(found):
        check(path, number, result)
    return found


def check(path: Path, number: int, result: Any) -> None:
    """Fails unless this is a result whose figures are numbers."""

    def wrong(what: str) -> Failure:
        return Failure(f"{path}: result {number} {what}; name a file that perf/run --json has written", USAGE)

    if not isinstance(result, dict):
        raise wrong("is not an object")
    for key in ("scenario", "implementation"):
        if not isinstance(result.get(key), str):
            raise wrong(f"has no {key}")
    name = f"({result['scenario']}, {result['implementation']})"
    for key in ("ns_min", "ns_median", "ns_q1", "ns_q3", "allocations", "bytes", "failed", "operations"):
        value = result.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise wrong(f"{name} has a {key} that is no number: {value!r}")
    for key in ("ns_min", "ns_median"):
        if not 0 < (result.get(key) or 0) < math.inf:
            raise wrong(f"{name} has no {key} above zero")


def text(results: list[Result]) -> str:
    """What such a file consists of: a result a line."""
    return "[\n" + ",\n".join("  " + json.dumps(result) for result in results) + "\n]\n"


def machines(results: list[Result]) -> list[str]:
    """What they were measured on, as far as that is known."""
    return sorted({result["machine"] for result in results if result.get("machine")})


def lost(result: Result) -> float:
    """The part of the events that were sent and never came."""
    return (result.get("failed") or 0) / (result.get("operations") or math.inf)
