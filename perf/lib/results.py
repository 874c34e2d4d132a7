# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Reads result files, as perf/run --json writes them."""

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from command import USAGE, Failure

# One object of the file. Older files lack some keys, so result.get(key) may be None.
Result = dict[str, Any]
# Scenario and implementation.
Key = tuple[str, str]
# The keys whose values must be finite numbers, unless they are missing or null.
FIGURES = ("ns_min", "ns_median", "ns_q1", "ns_q3", "ns_min_odd", "ns_min_even", "allocations", "bytes", "failed", "operations")


def read(path: Path) -> list[Result]:
    found = array(path)
    for number, result in enumerate(found, 1):
        check(path, number, result)
    return found


def array(path: Path) -> list[Any]:
    """What a file contains that is one array of results of any kind, at least one."""
    try:
        found = json.loads(path.read_text())
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}; name a file that perf/run --json has written", USAGE) from None
    except RecursionError:
        raise Failure(f"{path} is nested too deeply for a result file; name a file that perf/run --json has written", USAGE) from None
    except ValueError as error:
        raise Failure(f"{path} is not JSON ({error}); name a file that perf/run --json has written", USAGE) from None
    if not isinstance(found, list) or not found:
        raise Failure(f"{path} is not an array of results; name a file that perf/run --json has written", USAGE)
    return found


def check(path: Path, number: int, result: Any) -> None:
    """Fails unless the object is a result whose figures are numbers. Results are counted from 1."""

    def wrong(what: str) -> Failure:
        return Failure(f"{path}: result {number} {what}; name a file that perf/run --json has written", USAGE)

    if not isinstance(result, dict):
        raise wrong("is not an object")
    for key in ("scenario", "implementation"):
        if not isinstance(result.get(key), str):
            raise wrong(f"has no {key}")
        if not is_printable(result[key]):
            raise wrong(f"has a {key} that is not Unicode text: {shortened(result[key])}")
    name = f"({result['scenario']}, {result['implementation']})"
    for key in FIGURES:
        if result.get(key) is not None and not is_number(result[key]):
            raise wrong(f"{name} has a {key} that is not a number: {shortened(result[key])}")
    for key in ("ns_min", "ns_median"):
        if (result.get(key) or 0) <= 0:
            raise wrong(f"{name} has no {key} above zero")
    if not isinstance(result.get("machine") or "", str):
        raise wrong(f"{name} has a machine that is not a string: {shortened(result['machine'])}")
    if not is_printable(result.get("machine") or ""):
        raise wrong(f"{name} has a machine that is not Unicode text: {shortened(result['machine'])}")
    if not is_histogram(result.get("histogram") or []):
        raise wrong(f"{name} has a histogram that is not an array of pairs of positive numbers: {shortened(result['histogram'])}")


def is_number(value: Any) -> bool:
    """Whether one can compute with the value: Python also reads infinities and NaN from JSON, and integers too large for a float."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_printable(text: str) -> bool:
    """Whether the text can be printed: JSON may escape half of a surrogate pair, "\\ud800", which no encoding of Unicode has."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def is_histogram(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(is_number(each) and each > 0 for each in pair) for pair in value
    )


def shortened(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:59] + "…"


def is_asked_for(scenario: str, only: str | None) -> bool:
    """Whether the name contains one of the parts in `only`, which are separated by commas; true if that is None."""
    return only is None or any(part in scenario for part in parts(only))


def checked_only(only: str | None, example: str = "scenario names, such as --only emit/,zip") -> None:
    """Fails if --only is given, but contains no part of a name."""
    if only is not None and not parts(only):
        raise Failure(f"--only '{only}' selects nothing; give parts of {example}", USAGE)


def matched_only(only: str | None, names: Sequence[str], what: str = "scenario") -> None:
    """Fails if a part in `only` is in none of the names, which are those of `what`: what it was meant to be would be missing."""
    for part in parts(only or ""):
        if not any(part in name for name in names):
            raise Failure(f"--only '{only}': no {what} contains '{part}'; give parts of these names: {', '.join(names)}", USAGE)


def parts(only: str) -> list[str]:
    return [part for part in only.split(",") if part]


def text(results: Sequence[Result]) -> str:
    """The content of a result file: one result per line."""
    return "[\n" + ",\n".join("  " + json.dumps(result) for result in results) + "\n]\n"


def machines(results: list[Result]) -> list[str]:
    """The machines on which the results were measured, as far as that is known."""
    return sorted({result["machine"] for result in results if result.get("machine")})


def lost(result: Result) -> float:
    """The fraction of the events sent that never arrived."""
    return (result.get("failed") or 0) / (result.get("operations") or math.inf)
