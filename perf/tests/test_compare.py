# Part of Weir. SPDX-License-Identifier: Apache-2.0
import json
import math
import subprocess
import tempfile
import unittest
from pathlib import Path

COMPARE = Path(__file__).resolve().parents[1] / "compare"
GOOD = [{"scenario": "emit/1", "implementation": "weir", "ns_min": 4.0, "ns_median": 4.1, "machine": "here"}]


class Command(unittest.TestCase):
    """perf/compare as a command."""

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

    def test_a_scenario_that_is_worse_is_named_and_fails(self):
        slow = self.file("slow.json", [GOOD[0] | {"ns_min": 9.0, "ns_median": 9.1, "machine": "there"}])
        done = self.run_with(self.file("good.json", GOOD), slow, "--json", str(self.directory / "out.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("worse than before: emit/1 (weir)", done.stderr)
        self.assertIn("machines differ", done.stdout)
        written = json.loads((self.directory / "out.json").read_text())
        self.assertTrue(written["comparisons"][0]["is_worse"])

    def test_scenarios_that_only_one_file_has_are_named(self):
        more = GOOD + [GOOD[0] | {"implementation": "dispatch"}, GOOD[0] | {"scenario": "zip/2"}]
        done = self.run_with(self.file("good.json", GOOD), self.file("more.json", more))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("only in the new file: emit/1 (dispatch), zip/2\n", done.stdout)

    def test_a_missing_scenario_of_weir_fails_unless_only_leaves_it_out(self):
        more = self.file("more.json", GOOD + [GOOD[0] | {"scenario": "zip/2"}, GOOD[0] | {"scenario": "cas-call", "implementation": "limit"}])
        part = self.file("part.json", GOOD)
        done = self.run_with(more, part)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{part} lacks scenarios of Weir that {more} has: zip/2; measure them, or compare only the others: --only", done.stderr)
        self.assertIn("1 compared, 0 worse", done.stdout)
        done = self.run_with(more, part, "--only", "emit/")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_files_to_compare_are_not_replaced(self):
        good = self.file("good.json", GOOD)
        done = self.run_with(good, good, "--json", str(self.directory / "." / "good.json"))
        self.assertEqual(done.returncode, 64)
        self.assertIn("is one of the files to compare", done.stderr)
        self.assertEqual(json.loads(Path(good).read_text()), GOOD)

    def test_nothing_to_compare_is_refused(self):
        good, other = self.file("good.json", GOOD), self.file("other.json", [GOOD[0] | {"scenario": "zip/2"}])
        for arguments in ((good, other), (good, other, "--only", "zip/"), (good, good, "--only", ","), (good, good, "--only", "")):
            done = self.run_with(*arguments)
            self.assertEqual(done.returncode, 64, arguments)
            self.assertIn("nothing", done.stderr)

    def test_an_only_with_a_part_that_matches_nothing_is_refused(self):
        good, more = self.file("good.json", GOOD), self.file("more.json", GOOD + [GOOD[0] | {"scenario": "calls/4", "implementation": "limit"}])
        done = self.run_with(good, more, "--only", "emit/,typo")
        self.assertEqual((done.returncode, done.stdout), (64, ""))
        reason = f"no scenario of {good} or {more} contains 'typo'; give parts of these names: emit/1, calls/4\n"
        self.assertEqual(done.stderr, f"perf/compare: --only 'emit/,typo': {reason}")
        # What was measured with `perf/run --only` can be compared with the same: only one of the files may have it, and it may be a limit.
        self.assertEqual(self.run_with(good, more, "--only", "emit/,calls").returncode, 0)

    def test_a_file_without_the_fastest_odd_and_even_repetitions_is_reported(self):
        good, halves = self.file("good.json", GOOD), self.file("halves.json", [GOOD[0] | {"ns_min_odd": 4.0, "ns_min_even": 4.0}])
        self.assertIn("the old file lacks the fastest odd and even repetitions", self.run_with(good, halves).stdout)
        self.assertNotIn("lacks the fastest", self.run_with(halves, halves).stdout)

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
            ("nan.json", [GOOD[0] | {"ns_q1": math.nan}]),
            ("infinite.json", [GOOD[0] | {"ns_q3": math.inf}]),
            ("vast.json", [GOOD[0] | {"ns_median": 10**400}]),
            ("machines.json", [GOOD[0] | {"machine": ["x"]}]),
            ("half.json", GOOD + [GOOD[0] | {"scenario": "e\ud800"}]),
            ("low.json", GOOD + [GOOD[0] | {"implementation": "\udfffe"}]),
            ("halves.json", [GOOD[0] | {"machine": "e\ud800"}]),
            ("bounds.json", [GOOD[0] | {"histogram": [1]}]),
            ("counts.json", [GOOD[0] | {"histogram": [[320, 0]]}]),
            ("pairs.json", [GOOD[0] | {"histogram": {"320": 1}}]),
            ("figureless.json", [{"scenario": "emit/1", "implementation": "weir"}]),
        ):
            with self.subTest(name):
                done = self.run_with(good, self.file(name, text))
                self.assertEqual(done.returncode, 64, done.stderr)
                self.assertIn(name, done.stderr)
                self.assertNotIn("Traceback", done.stderr)
        done = self.run_with(good, str(self.directory / "absent.json"))
        self.assertEqual(done.returncode, 64)
        self.assertIn("absent.json", done.stderr)
        self.assertEqual(self.run_with(good).returncode, 64)
        self.assertEqual(self.run_with(good, good, "--tolerance", "0.5").returncode, 64)
        self.assertEqual(self.run_with(good, good, "--json", str(self.directory / "no" / "x.json")).returncode, 64)
