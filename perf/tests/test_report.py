# Part of Weir. SPDX-License-Identifier: Apache-2.0
import itertools
import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import latency_plot
import markdown
import plots
import plotting
import report
import results
from limits import limit_of
from overview import Row, halves, row, times
from series import Figures, Line

PLOT = Path(__file__).resolve().parents[1] / "plot"
needs_matplotlib = unittest.skipIf(not plotting.HAS_MATPLOTLIB, "matplotlib is not installed: pip install -r perf/requirements.txt")


def result(scenario, implementation="weir", ns=10.0, **more):
    return {"scenario": scenario, "implementation": implementation, "ns_min": ns, "ns_median": ns} | more


RESULTS = [
    *(result(f"{family}{size}{suffix}", name, ns * (1 + size))
      for family, suffix, sizes in (("emit/", "", (1, 8, 64)), ("hot-chain/", "", (3,)), ("hot-maps/", "", (10,)), ("cold-chain/", "", (0, 3)),
                                    ("subscribe-dispose/", "", (0, 100)), ("contended/", "", (1, 2)), ("contended/", "-churn", (1, 2)))
      for size in sizes
      for name, ns in (("weir", 5), ("mutex-copy", 9), ("mutex-inside", 8), ("opencombine", 100), ("newcomer", 50))),
    result("object-loop/1", "limit", 1),
    result("object-loop/8", "limit", 9),
    *(result(f"hop-latency/{pause}", name, histogram=[[320, 50], [448, 45], [9000, 5]])
      for pause in ("idle", "back-to-back") for name in ("weir", "dispatch")),
    *(result(f"send-time/{senders}", name, histogram=[[64, 80], [2048, 20]]) for senders in (2, 4) for name in ("weir", "mutex-copy")),
    result("emit/1", "async-stream", 20, failed=30, operations=1000),
]  # fmt: skip


class Rows(unittest.TestCase):
    def test_a_row_has_the_limit_of_its_family(self):
        self.assertEqual(Figures(RESULTS).row("emit/8")["limit"], 9)

    def test_the_limit_of_the_scenario_itself_takes_precedence(self):
        self.assertEqual(Figures(RESULTS + [result("emit/8", "limit", 7)]).row("emit/8")["limit"], 7)

    def test_only_the_fastest_mutex_is_shown(self):
        found = Figures(RESULTS).summed_up("emit/1")
        self.assertEqual(found["mutex"], 16)
        self.assertNotIn("mutex-copy", found)

    def test_lines_rise_in_size_and_leave_out_what_was_measured_once(self):
        lines = Figures(RESULTS + [result("emit/2", "dispatch", 1)]).lines("emit")
        self.assertIn(Line("weir", [1, 8, 64], [10, 45, 325]), lines)
        self.assertNotIn("dispatch", [line.implementation for line in lines])

    def test_scenarios_with_another_suffix_are_another_line(self):
        figures = Figures([result("contended/1"), result("contended/2"), result("contended/1-churn"), result("contended/2-churn")])
        self.assertEqual(len(figures.lines("contended")), 1)
        self.assertEqual(len(figures.lines("contended", "-churn")), 1)

    def test_a_row_says_which_implementations_lose_events(self):
        self.assertEqual(row(Figures(RESULTS), "emit/1", "").remarks, {"async-stream": ", loses 3%"})

    def test_a_limit_has_the_size_of_its_scenario_whatever_the_suffix(self):
        self.assertEqual(limit_of("contended/2-churn"), "shared-calls/2")
        self.assertEqual(limit_of("subscribe-dispose/100"), "allocate-2-cas")
        self.assertIsNone(limit_of("timer-arm/100000"))

    def test_columns_are_about_as_high_as_each_other(self):
        rows = [Row(name, dict.fromkeys("ab", 1.0), {}) for name in "12345"]
        self.assertEqual([len(column) for column in halves(rows)], [2, 3])
        self.assertEqual(halves(rows[:3]), [rows[:3]])


class Numbers(unittest.TestCase):
    def test_multiples_have_as_many_digits_as_mean_something(self):
        self.assertEqual([times(ratio) for ratio in (0.456, 0.999, 2.04, 9.97, 1298.4)], ["0.46×", "1.0×", "2.0×", "10×", "1,298×"])

    def test_names_that_touch_move_apart_as_little_as_they_can(self):
        self.assertEqual(plotting.apart([0, 100, 101], 10), [0, 95.5, 105.5])
        self.assertEqual(plotting.apart([0, 1, 2], 10), [-9, 1, 11])
        self.assertEqual(plotting.apart([], 10), [])

    def test_a_histogram_becomes_shares_that_end_at_the_slowest(self):
        shares, ns = latency_plot.curve([[320, 50], [448, 40], [9000, 10]])
        self.assertEqual(ns, [320, 448, 9000])
        self.assertAlmostEqual(shares[0], latency_plot.nines(0.5))
        self.assertAlmostEqual(shares[1], 1)
        self.assertAlmostEqual(shares[2], latency_plot.nines(0.995))

    def test_what_is_slower_than_the_last_share_is_left_out(self):
        _, ns = latency_plot.curve([[320, 999_990], [448, 5], [9000, 5]])
        self.assertEqual(ns, [320])


class Tables(unittest.TestCase):
    def test_all_lines_of_a_table_have_as_many_cells(self):
        for part in markdown.tables(RESULTS).split("\n\n")[:-1]:
            self.assertEqual(len({line.count("|") for line in part.splitlines()}), 1, part)

    def test_the_mutex_and_what_is_lost_are_there(self):
        text = markdown.tables(RESULTS)
        self.assertIn("| send to 1 subscriber (`emit/1`) | **10.0** | 16.0 (1.6×) |", text)
        self.assertIn("20.0 (2.0×), loses 3.0% |", text)


@needs_matplotlib
class Pictures(unittest.TestCase):
    def test_each_plot_is_drawn_and_is_identical_the_next_time(self):
        made = report.pictures(RESULTS)
        self.assertEqual(
            list(made), ["overview.svg", "subscribers.svg", "operators.svg", "subscribing.svg", "threads.svg", "latency.svg", "sending.svg"]
        )
        self.assertEqual(made["threads.svg"], plotting.drawn(plots.throughput, Figures(RESULTS)))
        for name, text in made.items():
            with self.subTest(name):
                xml.etree.ElementTree.fromstring(text)
                self.assertIn(">Weir<", text) if name != "overview.svg" else self.assertIn("send to 8 subscribers", text)
                self.assertNotIn("dc:date", text)

    def test_names_of_lines_keep_their_distance_when_the_layout_makes_room_for_them(self):
        import matplotlib

        # The recorded results have so many lines that the names move the axes.
        measured = results.read(PLOT.parent / "baselines" / "results.json")
        with matplotlib.rc_context(plotting.STYLE):
            figure = plotting.names_moved_apart(latency_plot.latency(measured))
            figure.draw_without_rendering()
        for axes in figure.axes:
            boxes = [text.get_window_extent() for text in axes.texts]
            self.assertGreater(len(boxes), 5)
            middles = sorted((box.y0 + box.y1) / 2 * 72 / figure.dpi for box in boxes)
            self.assertGreater(min(above - below for below, above in itertools.pairwise(middles)), 1.3 * 10)

    def test_a_plot_without_results_is_not_drawn(self):
        self.assertEqual(report.pictures([result("emit/1")]), {})

    def test_the_command_writes_a_directory(self):
        with tempfile.TemporaryDirectory() as directory:
            source, output = Path(directory) / "r.json", Path(directory) / "deep" / "out"
            few = [result("emit/1"), result("emit/1", "dispatch")]
            source.write_text(json.dumps(few))
            done = subprocess.run([sys.executable, PLOT, source, "--output", output], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads((output / "results.json").read_text()), few)
            self.assertIn(str(output / "overview.svg"), done.stdout)
            self.assertTrue((output / "table.md").exists())


    def test_what_was_counted_of_memory_is_a_file_of_its_own(self):
        memory = [{"piece": "idle", "source": "subject", "implementation": "weir", "bytes": 528.0, "blocks": 3.0}]
        with tempfile.TemporaryDirectory() as directory:
            kept = Path(directory) / "memory.json"
            report.written([result("emit/1")], Path(directory))
            self.assertFalse(kept.exists())
            self.assertIn(kept, report.written([result("emit/1")], Path(directory), memory))
            self.assertEqual(results.array(kept), memory)


class Without(unittest.TestCase):
    def test_bad_usage_is_64(self):
        done = subprocess.run([PLOT, __file__], capture_output=True, text=True)
        # If matplotlib is missing, that is reported first.
        self.assertIn(done.returncode, (64, 69))
        self.assertEqual(subprocess.run([PLOT], capture_output=True).returncode, 64)

    def test_without_matplotlib_the_remedy_is_named(self):
        # Only the standard library: no packages are found.
        done = subprocess.run([sys.executable, "-S", "-E", PLOT, __file__], capture_output=True, text=True)
        self.assertEqual((done.returncode, "pip install -r perf/requirements.txt" in done.stderr), (69, True), done.stderr)
