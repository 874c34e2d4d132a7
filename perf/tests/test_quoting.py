# Part of Weir. SPDX-License-Identifier: Apache-2.0
import unittest

import printed
import quoted_counts
import quoted_machines
import quoted_memory
import quoting
import targets
from callgrind import Counts
from command import Failure
from quoting import Row
from series import Figures

from .test_report import result

TABLES = """\
## Sending

scenario           weir         mutex-copy        limit  allocations of weir
---------  ------------  -----------------  -----------  -------------------
emit/1     4.67 (11.96)  14.0 (15.0) 3.00x                                 0
emit/8         11 (1.2)                     12.5 (19.4)                    0

## Targets

target                     weir  bound  verdict
-------------------------  ----  -----  -------
emit/1 <= mutex-copy / 3   4.67   3.11     miss
"""


def figures(*results):
    return Figures(list(results))


class Documents(unittest.TestCase):
    def test_documents_quote_the_recorded_results(self):
        for path in quoting.DOCUMENTS:
            self.assertEqual(quoting.quoted(path.name, path.read_text()), path.read_text(), f"{path.name}: run perf/quote")

    def test_each_document_quotes_something(self):
        for path in quoting.DOCUMENTS:
            self.assertRegex(path.read_text(), quoting.MARKED)

    def test_only_the_text_between_the_marks_is_replaced(self):
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

    def test_the_fastest_is_bold_and_so_is_one_nearly_as_fast(self):
        row = self.cells(Row("send", "emit/1"), result("emit/1", ns=10.2), result("emit/1", "mutex-copy", 20), result("emit/1", "mutex-inside", 10))
        self.assertEqual(row, ["**10.2**", "**10.0**", "", "", ""])
        row = self.cells(Row("send", "emit/1"), result("emit/1", ns=10.4), result("emit/1", "mutex-copy", 10))
        self.assertEqual(row[:2], ["10.4", "**10.0**"])

    def test_a_single_implementation_is_not_bold(self):
        self.assertEqual(self.cells(Row("send", "emit/1"), result("emit/1"), result("object-loop/1", "limit", 2)), ["10.0", "", "", "", "2.00"])

    def test_a_median_far_from_the_fastest_repetition_is_said(self):
        found = (
            result("emit/1", ns=10, ns_median=11.6),
            result("emit/1", "mutex-copy", 8000, ns_median=9300),
            result("emit/1", "mutex-inside", 8001, ns_median=8001),
            result("emit/1", "opencombine", 100, ns_median=114),
            result("object-loop/1", "limit", 2, ns_median=3),
        )
        row = self.cells(Row("send", "emit/1"), *found)
        self.assertEqual(row, ["**10.0** (median 11.6)", "8,000 (median 9,300)", "100", "", "2.00 (median 3.00)"])
        # The figure is the median.
        found = (result("contended/2", ns=10, ns_median=30), result("contended/2", "limit", 2))
        row = self.cells(Row("send", "contended/2"), *found)
        self.assertEqual(row, ["30.0", "", "", "", "2.00"])

    def test_an_implementation_that_loses_events_is_left_out(self):
        lossy = result("emit/1", "async-stream", 1, failed=3, operations=10)
        self.assertEqual(self.cells(Row("send", "emit/1"), result("emit/1"), lossy)[3], "")

    def test_a_row_may_be_of_another_form_of_weir_and_of_mutex(self):
        found = (result("hop/subject", "weir-values", 36), result("hop/subject", "limit-condition", 1234))
        self.assertEqual(self.cells(quoting.hop("to a task", "hop/subject", "weir-values"), *found)[:2], ["**36.0**", "1,234"])

    def test_a_row_that_was_not_measured_is_named(self):
        with self.assertRaisesRegex(Failure, "no result of weir for emit/1"):
            self.cells(Row("send", "emit/1"), result("emit/8"))


class Missed(unittest.TestCase):
    def test_targets_that_were_missed_are_listed(self):
        measured = [result("emit/1", allocations=0), result("emit/1", "mutex-copy", 12)]
        lines = quoting.missed(targets.checked(measured)).splitlines()
        self.assertEqual(lines[0], "| 1 of 2 targets are missed | Weir | bound |")
        self.assertEqual(lines[2:], ["| emit/1 <= mutex-copy / 3 | 10.0 | 4.00 |"])


class Printed(unittest.TestCase):
    def test_each_cell_of_a_table_of_scenarios_is_read_and_nothing_else(self):
        found = {(each["scenario"], each["implementation"]): (each["ns_min"], each["ns_median"]) for each in printed.results(TABLES)}
        times = {("emit/1", "weir"): (4.67, 11.96), ("emit/1", "mutex-copy"): (14, 15)}
        times |= {("emit/8", "weir"): (11, 1.2), ("emit/8", "limit"): (12.5, 19.4)}
        self.assertEqual(found, times)

    def test_the_run_on_record_is_printed_as_it_was_written(self):
        from_text = Figures(printed.results((quoting.RECORD / "run.txt").read_text()))
        for scenario, row in Figures(quoting.files.read(quoting.RECORD / "results.json")).ns.items():
            for name, ns in row.items():
                self.assertEqual(from_text.ns[scenario][name], float(quoting.nanoseconds(ns)), f"{name} of {scenario}")


class Machines(unittest.TestCase):
    def machine(self, atomic, weir):
        measured = [result("atomic-rmw", "limit", atomic)]
        for scenario in quoted_machines.LOSSES:
            measured += [result(scenario, "weir", weir), result(scenario, "mutex-copy", 20), result(scenario, "mutex-inside", 10)]
        return figures(*measured)

    def test_losses_are_multiples_of_the_best_mutex(self):
        lines = quoted_machines.losses(self.machine(2, 25), self.machine(4.5, 5)).splitlines()
        self.assertEqual(lines[0], "| | where an atomic operation takes 2.00 ns | where it takes 4.50 |")
        self.assertEqual(lines[2], "| subscribe to a subject, and dispose | 2.5 | 0.5 |")
        self.assertEqual(len(lines), 2 + len(quoted_machines.LOSSES))

    def test_a_row_without_a_loss_is_left_out_and_a_loss_without_a_row_is_refused(self):
        self.assertEqual(len(quoted_machines.losses(self.machine(2, 10), self.machine(4.5, 5)).splitlines()), 2)

        def lost(scenario):
            measured = self.machine(2, 25)
            measured.ns[scenario] = {"weir": 12, "mutex-inside": 10}
            return measured

        with self.assertRaisesRegex(Failure, "merge/9"):
            quoted_machines.losses(lost("merge/9"), self.machine(4.5, 5))
        quoted_machines.losses(lost("subscribe-dispose/7"), self.machine(4.5, 5))

    def test_what_the_other_machine_was_not_measured_for_is_said(self):
        there = self.machine(4.5, 5)
        del there.ns["emit/64"]
        self.assertIn("| send to 64 subscribers | 2.5 | not measured |", quoted_machines.losses(self.machine(2, 25), there))

    def test_latencies_have_a_median_and_a_99th_percentile(self):
        def machine(p99):
            return figures(*(result(f"hop-latency-{part}/idle", name, ns)
                             for part, ns in (("p50", 311), ("p99", p99)) for name in quoted_machines.RECEIVERS))  # fmt: skip

        lines = quoted_machines.silence(machine(2_863_188), machine(260)).splitlines()
        self.assertEqual(lines[3], "| to a thread that spins | 0.31 | 2,863 | 0.31 | 0.26 |")

    def test_a_result_that_was_not_measured_is_named(self):
        with self.assertRaisesRegex(Failure, "no result of mutex for emit/64"):
            quoted_machines.times(figures(result("emit/64")), "emit/64")
        with self.assertRaisesRegex(Failure, "no result of limit for atomic-rmw"):
            quoted_machines.atomic(figures(result("emit/64")))


MEMORY = [
    {"piece": piece, "source": source, "implementation": name, "bytes": size, "blocks": blocks}
    for piece, source, name, size, blocks in (
        ("idle", "subject", "weir", 528.0, 3.0),
        ("idle", "subject", "mutex", 48.0, 1.0),
        ("subscriber", "subject", "weir", 282.5, 2.0),
        ("subscriber", "subject", "opencombine", 509.3, 8.0),
        ("subscriber", "subject", "mutex", 109.1, 2.0),
        ("chain", "map/10", "weir", 1244.2, 23.01),
        ("subscriber", "async-stream", "async-stream", 900.0, 6.0),
    )
]


class MemoryOnRecord(unittest.TestCase):
    def test_each_piece_is_read_with_that_of_the_mutex_if_there_is_one(self):
        found = quoted_memory.pieces(MEMORY)
        self.assertEqual(list(found), ["idle: subject", "subscriber: subject", "chain: map/10"])
        self.assertEqual(found["subscriber: subject"], ((282.5, 2.0), (109.1, 2.0)))
        self.assertEqual(found["chain: map/10"], ((1244.2, 23.01), None))

    def test_bytes_have_a_fraction_only_where_there_are_few(self):
        found = [quoted_memory.in_bytes(count) for count in (12.0, 63.98, 10.6, 282.5, 1244.2)]
        self.assertEqual(found, ["12", "64", "10.6", "283", "1,244"])
        self.assertEqual(quoted_memory.in_blocks(0.06), "0")

    def test_several_of_a_row_stand_beside_each_other(self):
        pieces = {name: quoted_memory.Piece((640, 4), (64, 3)) for names in quoted_memory.ROWS.values() for name in names}
        lines = quoted_memory.table(pieces).splitlines()
        self.assertIn("| a subject | 640 (64) | 4 (3) |", lines)
        self.assertIn("| a property of a number; of a string | 640 (64) | 4 (3) |", lines)

    def test_a_piece_that_was_not_counted_is_named(self):
        with self.assertRaisesRegex(Failure, "memory.json has no 'idle: replay-subject';"):
            quoted_memory.table(quoted_memory.pieces(MEMORY))
        for wrong in (1, {"piece": "idle"}):
            with self.assertRaisesRegex(Failure, "memory.json: result 2 is not one of perf/memory"):
                quoted_memory.pieces([MEMORY[0], wrong])


class CountsOnRecord(unittest.TestCase):
    def counts(self, **more):
        counts = {name: Counts(1302.38, 1.0, 6.0, 2.06, 105.0) for names in quoted_counts.ROWS.values() for name in names}
        return counts | {name.replace("_", "-"): Counts(*figures) for name, figures in more.items()}

    def test_occasional_work_is_left_out(self):
        self.assertIn("| subscribe and dispose | 1,302 | 1 | 2 |", quoted_counts.table(self.counts()).splitlines())

    def test_few_instructions_have_a_fraction(self):
        self.assertIn(" | 8.1 | 0 | 0 |", quoted_counts.table(self.counts(cold_chain=(8.12, 0, 0, 0, 0))))

    def test_several_of_a_row_stand_beside_each_other_where_they_differ(self):
        found = quoted_counts.table(self.counts(emit=(74, 0, 0, 0, 0), emit_64=(1365, 0, 0, 1, 0)))
        self.assertIn("| send to one subscriber; to 64 | 74; 1,365 | 0 | 0; 1 |", found)

    def test_a_probe_that_is_not_on_record_is_named(self):
        with self.assertRaisesRegex(Failure, "no probe emit;"):
            quoted_counts.table({})
