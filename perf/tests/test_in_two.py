# Part of Weir. SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

IN_TWO = Path(__file__).resolve().parents[2] / ".ci" / "in-two"


class InTwo(unittest.TestCase):
    def in_two(self, script):
        """Runs `script` in a shell instead of tests, with the arguments that the tests would get."""
        return subprocess.run([IN_TWO, "All", "One|Two", "sh", "-c", script, "tests"], capture_output=True, text=True)

    def test_each_test_is_in_one_of_the_two(self):
        done = self.in_two('echo "$@"')
        self.assertEqual(done.returncode, 0)
        # The output of the background process comes last, whichever ends first.
        self.assertEqual(done.stdout.splitlines(), ["--filter All --skip All.*(One|Two)", "--filter All.*(One|Two)"])

    def test_either_can_fail(self):
        self.assertEqual(self.in_two('case "$*" in *--skip*) exit 3 ;; esac').returncode, 3)
        self.assertEqual(self.in_two('case "$*" in *--skip*) ;; *) exit 4 ;; esac').returncode, 4)

    def test_the_background_process_does_not_outlive_it(self):
        with tempfile.TemporaryDirectory() as directory:
            number = Path(directory) / "number"
            script = f'case "$*" in *--skip*) ;; *) echo $$ >{number}.new; mv {number}.new {number}; exec sleep 60 ;; esac'
            child = subprocess.Popen([IN_TWO, "All", "One", "sh", "-c", script, "tests"])
            while not number.exists():
                time.sleep(0.01)
            child.terminate()
            self.assertEqual(child.wait(10), 143)
            # It has been killed, but may still be visible for a moment.
            beside, deadline = int(number.read_text()), time.monotonic() + 10
            while is_alive(beside) and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertFalse(is_alive(beside))

    def test_help_is_for_standard_output(self):
        done = subprocess.run([IN_TWO, "--help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(".ci/in-two ALL PART COMMAND", done.stdout)

    def test_bad_usage(self):
        done = subprocess.run([IN_TWO, "All", "One"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 64)
        self.assertIn(".ci/in-two ALL PART COMMAND", done.stderr)


def is_alive(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    unittest.main()
