# Part of Weir. SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

WATCHED = Path(__file__).resolve().parents[2] / ".ci" / "watched"

# Reports, as Swift Testing does, that two tests have begun and one has ended, and then runs the given code.
TESTS = """
import json, sys, time
def say(record, **payload): print(json.dumps({"kind": record, "payload": payload}), file=events, flush=True)
events = open(sys.argv[sys.argv.index("--event-stream-output-path") + 1], "w")
for name in "ends", "hangs":
    say("test", id=name, kind="function", name=name, displayName="it " + name, sourceLocation={"fileID": "T/A.swift", "line": 7})
    say("event", kind="testStarted", testID=name)
say("event", kind="testEnded", testID="ends")
"""


class Watched(unittest.TestCase):
    def run_tests(self, afterwards):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
            program.write(TESTS + afterwards)
            program.flush()
            command = [WATCHED, "--patience", "2", sys.executable, program.name]
            return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def test_tests_that_hang_are_ended_and_named(self):
        # The marker is unique, since another checkout may run this test at the same time.
        marker = f"weir-test-that-hangs-{os.getpid()}"
        child = f"[sys.executable, '-c', 'import time; time.sleep(600)', '{marker}']"
        ended = self.run_tests(f"import subprocess; subprocess.run({child}, start_new_session=True)")
        self.assertEqual(ended.returncode, 124)
        # It has been killed, but on a busy machine it may be visible for a moment longer.
        deadline = time.monotonic() + 10
        while is_running(marker) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertFalse(is_running(marker))
        self.assertIn("T/A.swift:7: it hangs", ended.stderr)
        self.assertNotIn("it ends", ended.stderr)

    def test_tests_that_make_progress_are_left_alone(self):
        ended = self.run_tests("for _ in range(8): time.sleep(0.5); say('event', kind='issueRecorded')")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_it_exits_with_the_code_of_the_tests(self):
        self.assertEqual(self.run_tests("sys.exit(3)").returncode, 3)
        self.assertEqual(self.run_tests("import os; os.abort()").returncode, 134)

    def test_failures_are_listed_again_at_the_end(self):
        issue = "issue={'isKnown': %s, 'sourceLocation': {'fileID': 'T/B.swift', 'line': 9}}, messages=[{'text': '%s'}]"
        failed = self.run_tests(
            f"say('event', kind='issueRecorded', testID='ends', {issue % (False, 'expected one')})\n"
            f"say('event', kind='issueRecorded', testID='hangs', {issue % (True, 'known')})\nsys.exit(1)"
        )
        self.assertEqual(failed.returncode, 1)
        self.assertEqual(failed.stderr, "\nfailed:\n  T/A.swift:7: it ends\n    T/B.swift:9\n    expected one\n")

    def test_a_missing_command_is_refused(self):
        self.assertEqual(subprocess.run([WATCHED], capture_output=True).returncode, 64)

    def test_bad_usage_is_64(self):
        for arguments in (["--patience", "0", "true"], ["--patience", "nan", "true"], ["--patience", "true"], ["--no-such-option", "true"]):
            with self.subTest(arguments):
                done = subprocess.run([WATCHED, *arguments], capture_output=True, text=True)
                self.assertEqual(done.returncode, 64)
                self.assertIn(".ci/watched: ", done.stderr)

    def test_a_command_that_cannot_be_run_is_named(self):
        for command, status in (("/no/such/command", 69), (__file__, 126)):
            done = subprocess.run([WATCHED, command], capture_output=True, text=True)
            self.assertEqual(done.returncode, status)
            self.assertIn(command, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_help_is_for_standard_output(self):
        done = subprocess.run([WATCHED, "--help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--patience", done.stdout)


def is_running(marker):
    return subprocess.run(["pgrep", "-f", marker], capture_output=True).returncode == 0


if __name__ == "__main__":
    unittest.main()
