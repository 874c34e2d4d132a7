# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""What no test may do, and no compiler finds."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def sources(*folders):
    return [path for folder in folders for path in (ROOT / folder).rglob("*.swift") if ".build" not in path.parts]


class Conventions(unittest.TestCase):
    def test_no_comment_is_wider_than_code(self):
        # swift format looks at code only. A row of a table is one line, and so is one of a drawing.
        wide = [
            f"{path.relative_to(ROOT)}:{number}"
            for path in sources("Sources", "Tests", "Benchmarks/Sources", "Benchmarks/Tests")
            for number, line in enumerate(path.read_text().splitlines(), 1)
            if len(line) > 110 and re.match(r"\s*///? [^|]*$", line) and "──" not in line
        ]
        self.assertEqual(wide, [], "break these comments within 110 columns")

    def test_titles_of_tests_make_sense_alone(self):
        # In a log nobody sees the test before.
        vague = re.compile(r"the same(,| (for|where|while|with|from|over|on|in|as)\b)|(so (is|does|do|are)|nor|or|and|also|it|they)\b(?!,)")
        unclear = [
            f"{path.relative_to(ROOT)}: {title}"
            for path in sources("Tests", "Benchmarks/Tests")
            for title in re.findall(r"@Test\(\s*\"([^\"]*)", path.read_text())
            if vague.match(re.sub(r"^((contract )?[A-Z]*\d+( and \d+)? ?)+: ", "", title))
        ]
        self.assertEqual(unclear, [], "repeat what the test is about")

    def test_deviations_quote_tests_that_exist(self):
        suites = "".join(path.read_text() for path in sources("Tests"))
        titles = {title.replace('\\"', '"') for title in re.findall(r"@(?:Test|Suite)\(\s*\"((?:[^\"\\]|\\.)*)", suites)}
        points = " ".join((ROOT / "Tests/DEVIATIONS.md").read_text().split()).split(" - ")[1:]
        self.assertGreater(len(points), 50)
        for point in points:
            quoted = re.findall(r'"([^"]+)"', re.split(r" Tests?: ", point + " Test: ")[1])
            self.assertTrue(quoted, f"name the test that pins this: {point}")
            self.assertEqual([title for title in quoted if title not in titles], [], "no test has this title")

    def test_no_test_has_a_limit_of_time(self):
        # It counts what the other tests take, too: on a slow machine a test fails before it has a thread. .ci/watched names what hangs.
        suites = sources("Tests", "Benchmarks/Tests")
        self.assertGreater(len(suites), 100)
        limited = [str(path.relative_to(ROOT)) for path in suites if re.search(r"\.timeLimit\b", path.read_text())]
        self.assertEqual(limited, [], "leave the limit out; .ci/watched ends what hangs, and names it")

    def test_what_the_sanitizers_leave_out_is_there(self):
        # Else a suite that was renamed runs where it finds nothing, and nobody knows why that takes so long.
        text = (ROOT / ".ci/run").read_text()
        names = {name for line in re.findall(r"(?:elsewhere|left_out)\+?=[\"'](.*)[\"']", text) for name in line.split("|")} - {"$elsewhere", ""}
        self.assertGreater(len(names), 5)
        suites = {name for path in sources("Tests/WeirTests") for name in re.findall(r"(?:struct|enum) (\w+)", path.read_text())}
        self.assertEqual([name for name in names if not any(re.fullmatch(name, suite) for suite in suites)], [])
        orders = "".join(path.read_text() for path in sources("Tests/WeirStressTests/Orders"))
        for name in re.search(r"^longest=.*\((.*)\)", text, re.MULTILINE)[1].split("|"):
            self.assertIn(f"func {name}(", orders)

    def test_what_has_a_process_of_its_own_is_there(self):
        text = (ROOT / "perf/explore").read_text()
        suites = "".join(path.read_text() for path in sources("Tests/WeirExplorerTests"))
        for name in re.search(r"^half=\"(.*)\"", text, re.MULTILINE)[1].split("|"):
            self.assertIn(f"struct {name} ", suites)


if __name__ == "__main__":
    unittest.main()
