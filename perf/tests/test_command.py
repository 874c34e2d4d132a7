# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""How the scripts here end, whatever becomes of what they write to."""

import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINES = "from command import main; main(lambda arguments: print('line\\n' * 100_000))"


class CommandTests(unittest.TestCase):
    def run_lines(self, **options):
        return subprocess.Popen(
            [sys.executable, "-B", "-c", LINES], cwd=ROOT / "perf" / "lib", stderr=subprocess.PIPE, text=True, **options)

    def test_reader_that_has_seen_enough(self):
        process = self.run_lines(stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "line\n")
        process.stdout.close()
        self.assertEqual(process.stderr.read(), "")
        self.assertEqual(process.wait(), 128 + 13)
        process.stderr.close()

    def test_full_disk(self):
        with open("/dev/full", "w") as full:
            process = self.run_lines(stdout=full)
        _, message = process.communicate()
        self.assertEqual(process.returncode, 74)
        self.assertIn("No space left on device", message)
        self.assertNotIn("Traceback", message)

    def test_bad_usage_of_each_script(self):
        for script in ("compare", "compare-goaccess", "explore", "fuzz", "generate-access-log", "instructions", "memory", "mutants", "plot", "run"):
            with self.subTest(script):
                result = subprocess.run([ROOT / "perf" / script, "--no-such-option"], capture_output=True, text=True)
                self.assertEqual(result.returncode, 64)
                self.assertIn(f"perf/{script}", result.stderr)
                self.assertNotIn("Traceback", result.stderr)

    def test_help_of_each_script(self):
        for script in ("compare", "compare-goaccess", "explore", "fuzz", "generate-access-log", "hop", "instructions", "memory", "mutants", "plot", "run", "server", "shapes", "soak"):
            with self.subTest(script):
                result = subprocess.run([ROOT / "perf" / script, "--help"], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn(f"perf/{script}", result.stdout)


if __name__ == "__main__":
    unittest.main()
