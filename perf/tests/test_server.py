# Part of Weir. SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

PERF = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PERF / "lib"))

import serving
from command import Failure

RUN = {
    "scenario": "burst/wide",
    "broker": "weir",
    "milliseconds": 2000,
    "deliveries": 1000,
    "received": 1500,
    "missing": 0,
    "told_lost": 0,
    "disordered": 0,
    "strange": 0,
    "processor_seconds": 0.5,
    "peak_kilobytes": 2048,
}


class Figures(unittest.TestCase):
    """The figures and tables made from the runs of a load."""

    def test_figures_are_per_second_and_per_delivery(self):
        found = serving.figures(RUN | {"latency_p50_ns": 1500})
        self.assertEqual(found["rate"], 500)
        self.assertEqual(found["processor"], 500_000)
        self.assertEqual(found["memory"], 2)
        self.assertEqual(found["p50"], 1.5)

    def test_a_run_without_deliveries_has_no_cost_per_delivery(self):
        self.assertNotIn("processor", serving.figures(RUN | {"deliveries": 0}))

    def test_figures_are_medians_of_repetitions_and_losses_are_added_up(self):
        runs = [RUN | {"deliveries": count, "missing": 3, "told_lost": 1} for count in (100, 300, 10_000)]
        found = serving.summary(runs)
        self.assertEqual(found["rate"], 150)
        self.assertEqual((found["missing"], found["told_lost"]), (6, 3))

    def test_several_repetitions_have_quartiles_of_the_processor_time(self):
        runs = [RUN | {"processor_seconds": seconds} for seconds in (0.5, 0.1, 0.9, 0.2, 0.3)]
        self.assertEqual(serving.summary(runs)["quartiles"], (200_000, 500_000))
        self.assertIn("300,000  200,000 to 500,000", serving.tables(runs))
        self.assertNotIn("quartiles", serving.tables(runs[:1]))

    def test_a_repetition_with_a_rate_takes_longer(self):
        # The server is idle most of the time.
        for shape in serving.SHAPES:
            with self.subTest(shape.name), mock.patch.object(serving, "Server"):
                with mock.patch.object(serving.package, "output_of", return_value="{}") as output_of:
                    serving.measured(("server", "load"), shape, "weir", 1_000)
                ((command,), _) = output_of.call_args
                asked = command[command.index("--milliseconds") + 1]
                self.assertEqual(asked, "4000" if "--rate" in shape.arguments else "1000")

    def test_a_table_has_a_line_for_each_broker(self):
        table = serving.tables([RUN, RUN | {"broker": "mutex", "deliveries": 2_000_000}])
        lines = table.splitlines()
        self.assertTrue(lines[0].startswith("## burst/wide: "))
        self.assertEqual([line.split()[0] for line in lines[4:]], ["weir", "mutex"])
        self.assertIn("1,000,000", lines[5])
        self.assertNotIn("p50", lines[2])

    def test_only_unreported_losses_are_a_problem(self):
        self.assertEqual(list(serving.problems([RUN, RUN | {"missing": 5, "told_lost": 5}])), [])
        (lost,) = serving.problems([RUN | {"missing": 7, "told_lost": 5}])
        self.assertEqual(lost, "burst/wide, weir: 2 of 1507 deliveries were lost without a report")
        self.assertEqual(len(list(serving.problems([RUN | {"strange": 1, "disordered": 2}]))), 2)
        self.assertEqual(list(serving.problems([RUN | {"broker": "opencombine", "disordered": 2}])), [])

    def test_a_server_says_where_it_listens(self):
        self.assertEqual(serving.port_in("listening on 127.0.0.1:41777, broker async\n"), 41777)
        for line in ("", "stopping\n", "listening on\n"):
            with self.assertRaises(Failure):
                serving.port_in(line)

    def test_a_server_that_does_not_start_is_a_failure(self):
        with self.assertRaises(Failure):
            serving.Server("/bin/false", "weir")

    def test_a_server_is_stopped_by_sigint(self):
        with tempfile.TemporaryDirectory() as directory:
            program = Path(directory) / "server"
            program.write_text("#!/bin/sh\ntrap 'exit 0' INT\necho listening on 127.0.0.1:1234, broker weir\nwhile :; do sleep 0.01; done\n")
            program.chmod(0o755)
            with serving.Server(str(program), "weir") as server:
                self.assertEqual(server.port, 1234)
            self.assertEqual(server.child.returncode, 0)
            program.write_text(program.read_text().replace("exit 0", "exit 3"))
            with self.assertRaisesRegex(Failure, "exited with 3"), serving.Server(str(program), "weir"):
                pass


class Command(unittest.TestCase):
    """perf/server as a command."""

    def test_bad_usage_is_64(self):
        for arguments in (["--only", "nothing"], ["--broker", "rx"], ["--json", "/no/such/place/x.json"], ["--slow"]):
            done = subprocess.run([PERF / "server", *arguments], capture_output=True, text=True)
            self.assertEqual(done.returncode, 64, (arguments, done.stderr))
            self.assertIn(arguments[-1].removeprefix("--"), done.stderr)

    def test_an_only_with_a_part_that_matches_nothing_is_refused(self):
        for only, reason in (("wide,typo", "no shape contains 'typo'; give parts of these names: burst/wide, "), (",", "selects nothing")):
            # Without swift, so that nothing is built.
            command = [sys.executable, PERF / "server", "--only", only]
            done = subprocess.run(command, env=os.environ | {"PATH": ""}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 64, done.stderr)
            self.assertIn(f"perf/server: --only '{only}'", done.stderr)
            self.assertIn(reason, done.stderr)

    def test_help_names_the_options(self):
        done = subprocess.run([PERF / "server", "--help"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        for option in ("--quick", "--json", "--only", "--broker"):
            self.assertIn(option, done.stdout)
