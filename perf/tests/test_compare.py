# Part of Weir. SPDX-License-Identifier: Apache-2.0
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

COMPARE = Path(__file__).resolve().parents[1] / "compare"
GOOD = [{"scenario": "emit/1", "implementation": "weir", "ns_min": 4.0, "ns_median": 4.1, "machine": "here"}]


class Command(unittest.TestCase):
    """perf/compare as one calls it."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def file(self, name, text):
        path = self.directory / name
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return str(path)

    def run_with(self, *arguments):
        return subprocess.run([COMPARE, *arguments], capture_output=True, text=True)

    def test_the_same_file_twice_is_no_change(self):
        good = self.file("good.json", GOOD)
        done = self.run_with(good, good)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 compared, 0 worse, 0 better", done.stdout)
        self.assertNotIn("machines differ", done.stdout)

    def test_what_is_worse_is_named_and_fails(self):
        slow = self.file("slow.json", [GOOD[0] | {"ns_min": 9.0, "ns_median": 9.1, "machine": "there"}])
        done = self.run_with(self.file("good.json", GOOD), slow, "--json", str(self.directory / "out.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("worse than before: emit/1 (weir)", done.stderr)
        self.assertIn("machines differ", done.stdout)
        written = json.loads((self.directory / "out.json").read_text())
        self.assertTrue(written["comparisons"][0]["is_worse"])

    def test_what_only_one_has_is_named(self):
        more = GOOD + [GOOD[0] | {"implementation": "dispatch"}, GOOD[0] | {"scenario": "zip/2"}]
        done = self.run_with(self.file("good.json", GOOD), self.file("more.json", more))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("only in the new file: emit/1 (dispatch), zip/2\n", done.stdout)

    def test_bad_usage_is_64_and_names_the_file(self):
        good = self.file("good.json", GOOD)
        for name, text in (
            ("broken.json", "[{"),
            ("deep.json", "[" * 100_000),
            ("empty.json", []),
            ("object.json", {}),
            ("nameless.json", [{"implementation": "weir"}]),
            ("text.json", [GOOD[0] | {"ns_min": "fast"}]),
            ("zero.json", [GOOD[0] | {"ns_min": 0}]),
            ("figureless.json", [{"scenario": "emit/1", "implementation": "weir"}]),
        ):
            with self.subTest(name):
                done = self.run_with(good, self.file(name, text))
                self.assertEqual(done.returncode, 64, done.stderr)
                self.assertIn(name, done.stderr)
        done = self.run_with(good, str(self.directory / "absent.json"))
        self.assertEqual(done.returncode, 64)
        self.assertIn("absent.json", done.stderr)
        self.assertEqual(self.run_with(good).returncode, 64)
        self.assertEqual(self.run_with(good, good, "--tolerance", "0.5").returncode, 64)
        self.assertEqual(self.run_with(good, good, "--json", str(self.directory / "no" / "x.json")).returncode, 64)
