# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Runs the test suites on one mutant until one of them notices it."""

import os
import re
import select
import signal
import subprocess
import time

import mutant_build
from mutant_records import SURVIVED

SUCCESS = re.compile(rb"Test run with (\d+) tests? .*passed")
RACE = b"WARNING: ThreadSanitizer"
FAILED = "✘".encode()
REACHED = b"mutant reached"
TIME = "killed: time"
# A mutant may be slower than the original; one that takes this many times as long counts as hung.
PATIENCE = 5
LEAST_LIMIT = 15


# All threads set the flag that the mutant was reached: a race, and intended.
SUPPRESSIONS = mutant_build.SCRATCH / "thread.supp"
KNOWN = mutant_build.ROOT / "Tests" / "tsan.supp"


# These tests stop threads where nothing but atomic operations orders them, so copying and freeing memory can be checked there.
# Elsewhere reference counts order it, which the sanitizer does not see.
STRICT = re.compile("Orders/")


def environment(number, pattern):
    SUPPRESSIONS.write_text("race:weir_is_mutant\n" + KNOWN.read_text())
    strict = "ignore_interceptors_accesses=0:" if STRICT.match(pattern) else ""
    return {
        **os.environ,
        "WEIR_MUTANT": str(number),
        # Twice as thorough as CI is with each change: a verdict is meant to last.
        "WEIR_EXPLORE_SCALE": "2",
        "WEIR_STRESS_SCALE": "3",
        "SWIFT_BACKTRACE": "enable=no",
        "TSAN_OPTIONS": f"{strict}halt_on_error=1:exitcode=66:report_signal_unsafe=0:print_suppressions=0:suppressions={quoted(SUPPRESSIONS)}",
    }


def quoted(path):
    """A path for the options of a sanitizer, as in shell.sh."""
    mark = "'" if '"' in str(path) else '"'
    return f"{mark}{path}{mark}"


class Outcome:
    """The result of running a suite: a verdict, how long it took, whether the mutant was executed, and what was printed."""

    def __init__(self, verdict, seconds, reached, output):
        self.verdict, self.seconds, self.reached, self.output = verdict, seconds, reached, output


def run(tests, number, pattern, limit):
    """Runs the tests that match `pattern` until one fails or `limit` seconds have passed."""
    command = ["nice", "-n", "5", str(tests), "--testing-library", "swift-testing", "--filter", pattern]
    begun = time.monotonic()
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(number, pattern), start_new_session=True
    )
    try:
        output, verdict = _watch(child, begun + limit)
    finally:
        _kill(child)
    if verdict is None:
        passed = SUCCESS.search(output)
        if child.returncode == 0 and passed and int(passed[1]) > 0:
            verdict = SURVIVED
        else:
            verdict = "killed: crash"
    return Outcome(verdict, time.monotonic() - begun, REACHED in output, output.decode(errors="replace"))


def _watch(child, end):
    """The output up to the first failure, and the verdict; None if the child ended by itself."""
    output = b""
    while True:
        left = end - time.monotonic()
        if left <= 0:
            return output, TIME
        if not select.select([child.stdout], [], [], left)[0]:
            continue
        piece = os.read(child.stdout.fileno(), 65536)
        if not piece:
            child.wait()
            return output, None
        output += piece
        if RACE in output:
            # Waits a moment for the rest of the report; then the process ends.
            return output + _rest(child), "killed: race"
        if FAILED in output:
            return output, "killed: test"


def _rest(child):
    rest, end = b"", time.monotonic() + 2
    while time.monotonic() < end and select.select([child.stdout], [], [], 0.5)[0]:
        piece = os.read(child.stdout.fileno(), 65536)
        if not piece:
            break
        rest += piece
    return rest


def _kill(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
    child.stdout.close()
