# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Rules for sources and tests that no compiler checks."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def sources(*folders):
    return [path for folder in folders for path in (ROOT / folder).rglob("*.swift") if ".build" not in path.parts]


def texts():
    folders = ("Sources", "Tests", "Benchmarks/Sources", "perf")
    there = [path for folder in folders for path in (ROOT / folder).rglob("*.md") if "baselines" not in path.parts]
    return [*ROOT.glob("*.md"), *there]


class Conventions(unittest.TestCase):
    def test_no_comment_is_wider_than_code(self):
        # swift format checks only code. Rows of tables and lines of drawings cannot be broken.
        wide = [
            f"{path.relative_to(ROOT)}:{number}"
            for path in sources("Sources", "Tests", "Benchmarks/Sources", "Benchmarks/Tests")
            for number, line in enumerate(path.read_text().splitlines(), 1)
            if len(line) > 110 and re.match(r"\s*///? [^|]*$", line) and "──" not in line
        ]
        self.assertEqual(wide, [], "break these comments within 110 columns")

    def test_no_text_is_wider_than_code(self):
        # Rows of tables cannot be broken, and perf/run writes the reports on record.
        wide = []
        for path in texts():
            in_code = False
            for number, line in enumerate(path.read_text().splitlines(), 1):
                in_code ^= line.startswith("```")
                if len(line) > 120 and not in_code and line[0] != "|":
                    wide.append(f"{path.relative_to(ROOT)}:{number}")
        self.assertEqual(wide, [], "break these lines within 120 columns")

    def test_no_file_is_longer_than_a_reader_likes(self):
        long = [str(path.relative_to(ROOT)) for path in sources("Sources", "Tests", "Benchmarks") if len(path.read_text().splitlines()) > 400]
        self.assertEqual(long, [], "split these files, so that none has more than 400 lines")

    def test_messages_reach_users(self):
        # A release build does not print the message of a precondition.
        unseen = [
            f"{path.relative_to(ROOT)}:{number}"
            for path in sources("Sources/Weir", "Sources/WeirFoundation", "Sources/WeirTesting")
            for number, line in enumerate(path.read_text().splitlines(), 1)
            if re.match(r"[^/]*\bprecondition(Failure)?\(", line)
        ]
        self.assertEqual(unseen, [], "use require")

    def test_titles_of_tests_make_sense_alone(self):
        # A log does not show the title of the test before.
        vague = re.compile(r"the same(,| (for|where|while|with|from|over|on|in|as)\b)|(so (is|does|do|are)|nor|or|and|also|it|they)\b(?!,)")
        unclear = [
            f"{path.relative_to(ROOT)}: {title}"
            for path in sources("Tests", "Benchmarks/Tests")
            for title in re.findall(r"@Test\(\s*\"([^\"]*)", path.read_text())
            if vague.match(re.sub(r"^((contract )?[A-Z]*\d+( and \d+)? ?)+: ", "", title))
        ]
        self.assertEqual(unclear, [], "say in the title what the test is about")

    def test_deviations_quote_tests_that_exist(self):
        suites = "".join(path.read_text() for path in sources("Tests"))
        titles = {title.replace('\\"', '"') for title in re.findall(r"@(?:Test|Suite)\(\s*\"((?:[^\"\\]|\\.)*)", suites)}
        points = " ".join((ROOT / "Tests/DEVIATIONS.md").read_text().split()).split(" - ")[1:]
        self.assertGreater(len(points), 50)
        for point in points:
            quoted = re.findall(r'"([^"]+)"', re.split(r" Tests?: ", point + " Test: ")[1])
            self.assertTrue(quoted, f"name the test that pins this: {point}")
            self.assertEqual([title for title in quoted if title not in titles], [], "no test has this title")

    def test_each_contract_has_a_test_or_a_deviation(self):
        listed = set(re.findall(r"^\| ((?:AC|[A-R])\d+|DD-\d+) \|", (ROOT / "Tests/CONTRACTS.md").read_text(), re.MULTILINE))
        self.assertGreater(len(listed), 230)
        code = "".join(path.read_text() for path in sources("Tests"))
        starts = re.findall(r'@Test\(\s*"((?:(?:AC|[A-R]|DD-)\d+[ ,]*)+):', code)
        named = {id for start in starts for id in re.findall(r"(?:AC|[A-R]|DD-)\d+", start)}
        deviations = set(re.findall(r"^- `((?:AC|[A-R])\d+)`", (ROOT / "Tests/DEVIATIONS.md").read_text(), re.MULTILINE))
        self.assertEqual(sorted(named - listed), [], "say in Tests/CONTRACTS.md what these stand for")
        self.assertEqual(sorted(listed - named - deviations), [], "no title of a test begins with these")

    def test_migration_has_each_name_of_reactiveobjc(self):
        rows = [line.split("|")[1] for line in (ROOT / "Sources/Weir/Weir.docc/Migration.md").read_text().splitlines() if line[:2] == "| "]
        there = {name for row in rows for code in re.findall(r"`([^`]+)`", row) for name in re.findall(r"\w[\w:]*", code)}
        names = {name for line in (ROOT / "Tests/Corpus/reactiveobjc.txt").read_text().splitlines() if line[0] != "#" for name in line.split()}
        self.assertGreater(len(names), 250)
        self.assertEqual(sorted(names - there), [], "add a row for each of these, with the name spelled out: people search for it")

    def test_no_test_has_a_time_limit(self):
        # A limit includes the time that a test waits for others: on a slow machine it fails before it has begun. .ci/watched finds tests
        # that hang.
        suites = sources("Tests", "Benchmarks/Tests")
        self.assertGreater(len(suites), 100)
        limited = [str(path.relative_to(ROOT)) for path in suites if re.search(r"\.timeLimit\b", path.read_text())]
        self.assertEqual(limited, [], "remove the time limit; .ci/watched ends tests that hang, and names them")

    def test_suites_that_sanitizers_leave_out_exist(self):
        # Otherwise a renamed suite would run under sanitizers, where it finds nothing and takes long, without anyone noticing.
        text = (ROOT / ".ci/run").read_text()
        names = {name for line in re.findall(r"(?:elsewhere|left_out)\+?=[\"'](.*)[\"']", text) for name in line.split("|")} - {"$elsewhere", ""}
        self.assertGreater(len(names), 5)
        suites = {name for path in sources("Tests/WeirTests") for name in re.findall(r"(?:struct|enum) (\w+)", path.read_text())}
        self.assertEqual([name for name in names if not any(re.fullmatch(name, suite) for suite in suites)], [])
        orders = "".join(path.read_text() for path in sources("Tests/WeirStressTests/Orders"))
        for name in re.search(r"^longest=.*\((.*)\)", text, re.MULTILINE)[1].split("|"):
            self.assertIn(f"func {name}(", orders)
        stress = "".join(path.read_text() for path in sources("Tests/WeirStressTests"))
        halves = re.findall(r"\bhalf='/\((.*?)\)'", text)
        self.assertEqual(len(halves), 2)
        for name in "|".join(halves).split("|"):
            self.assertRegex(stress, rf"(struct|enum) {name}\b")

    def test_suites_that_have_a_process_of_their_own_exist(self):
        text = (ROOT / "perf/explore").read_text()
        suites = "".join(path.read_text() for path in sources("Tests/WeirExplorerTests"))
        for name in re.search(r"^half=\"(.*)\"", text, re.MULTILINE)[1].split("|"):
            self.assertIn(f"struct {name} ", suites)

    def test_warnings_are_errors_only_in_builds_of_weir(self):
        # A package that depends on Weir by path must build, though a newer compiler may warn of more.
        def manifest(folder):
            command = ["swift", "package", "--package-path", ROOT, "dump-package"]
            return subprocess.run(command, env={**os.environ, "PWD": folder}, capture_output=True, text=True, check=True).stdout

        self.assertIn("treatAllWarnings", manifest(str(ROOT)))
        self.assertIn("treatAllWarnings", manifest(str(ROOT / "Sources")))
        self.assertNotIn("treatAllWarnings", manifest(tempfile.gettempdir()))
        self.assertNotIn("treatAllWarnings", manifest(f"{ROOT}beside"))


if __name__ == "__main__":
    unittest.main()
