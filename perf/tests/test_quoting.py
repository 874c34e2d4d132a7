# Part of Weir. SPDX-License-Identifier: Apache-2.0
import unittest

import quoting
from command import Failure
from quoting import Row
from series import Figures

from .test_report import result

PRINTED = """\
## Targets

target                     weir  bound  verdict
-------------------------  ----  -----  -------
emit/1 <= mutex-copy / 3   4.67   3.11     miss
emit/8 allocates nothing      0      0     pass

1 of 2 targets missed
"""


def figures(*results):
    return Figures(list(results))


class Documents(unittest.TestCase):
    def test_they_quote_the_run_on_record(self):
        for path in quoting.DOCUMENTS:
            self.assertEqual(quoting.quoted(path.name, path.read_text()), path.read_text(), f"{path.name}: run perf/quote")

    def test_each_quotes_something(self):
        for path in quoting.DOCUMENTS:
            self.assertRegex(path.read_text(), quoting.MARKED)

    def test_what_stands_between_the_marks_is_replaced_and_nothing_else(self):
        text = "before\n<!-- perf/quote machine -->\nold\n<!-- end -->\nafter\n"
        anew = quoting.quoted("README.md", text)
        self.assertTrue(anew.startswith("before\n<!-- perf/quote machine -->\nOn the machine of this run"))
        self.assertTrue(anew.endswith(".\n<!-- end -->\nafter\n"))
        self.assertEqual(quoting.quoted("README.md", anew), anew)

    def test_a_mark_that_is_unknown_or_has_no_end_is_refused(self):
        for text in ("<!-- perf/quote nothing -->\n<!-- end -->\n", "<!-- perf/quote rows -->\n"):
            with self.assertRaisesRegex(Failure, "README.md: "):
                quoting.quoted("README.md", text)


class Tables(unittest.TestCase):
    def cells(self, row, *results):
        return list(quoting.cells(row, figures(*results)))

    def test_the_fastest_is_bold_and_who_is_nearly_as_fast(self):
        row = self.cells(Row("send", "emit/1"), result("emit/1", ns=10.2), result("emit/1", "mutex-copy", 20), result("emit/1", "mutex-inside", 10))
        self.assertEqual(row, ["**10.2**", "**10.0**", "", "", ""])
        row = self.cells(Row("send", "emit/1"), result("emit/1", ns=10.4), result("emit/1", "mutex-copy", 10))
        self.assertEqual(row[:2], ["10.4", "**10.0**"])

    def test_alone_nobody_is_fastest(self):
        self.assertEqual(self.cells(Row("send", "emit/1"), result("emit/1"), result("object-loop/1", "limit", 2)), ["10.0", "", "", "", "2.00"])

    def test_who_loses_events_is_left_out(self):
        lossy = result("emit/1", "async-stream", 1, failed=3, operations=10)
        self.assertEqual(self.cells(Row("send", "emit/1"), result("emit/1"), lossy)[3], "")

    def test_a_row_may_be_of_another_form_of_weir_and_of_mutex(self):
        found = (result("hop/subject", "weir-values", 36), result("hop/subject", "limit-condition", 1234))
        self.assertEqual(self.cells(quoting.hop("to a task", "hop/subject", "weir-values"), *found)[:2], ["**36.0**", "1,234"])

    def test_a_row_that_was_not_measured_is_named(self):
        with self.assertRaisesRegex(Failure, "no weir of emit/1"):
            self.cells(Row("send", "emit/1"), result("emit/8"))


class Missed(unittest.TestCase):
    def test_targets_that_were_missed_are_listed(self):
        lines = quoting.missed(PRINTED).splitlines()
        self.assertEqual(lines[0], "| 1 of 2 targets are missed | Weir | bound |")
        self.assertEqual(lines[2:], ["| emit/1 <= mutex-copy / 3 | 4.67 | 3.11 |"])

    def test_a_run_that_says_another_number_is_refused(self):
        with self.assertRaises(Failure):
            quoting.missed(PRINTED.replace("1 of 2", "2 of 2"))
