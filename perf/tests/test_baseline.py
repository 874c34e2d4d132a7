# Part of Weir. SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

import baseline
import callgrind
import probes
import shared_lines
from callgrind import Counts
from command import Failure

PERF = Path(__file__).resolve().parents[1]


def counts(instructions=100.0, retains=0.0, releases=0.0, allocations=0.0, bytes=0.0):
    return Counts(instructions, retains, releases, allocations, bytes)


def changes(before, now):
    return [(change.what, change.is_worse) for change in baseline.changes({"emit": before}, {"emit": now})]


class Tolerance(unittest.TestCase):
    def test_instructions_may_differ_by_three_percent_and_two(self):
        self.assertEqual(changes(counts(100), counts(105)), [])
        self.assertEqual(changes(counts(100), counts(95)), [])
        self.assertEqual(changes(counts(100), counts(106)), [("instructions", True)])
        self.assertEqual(changes(counts(100), counts(94)), [("instructions", False)])
        self.assertEqual(changes(counts(2), counts(5)), [("instructions", True)])

    def test_allocations_and_retains_may_not_differ(self):
        self.assertEqual(changes(counts(allocations=1), counts(allocations=1.1)), [("allocations", True)])
        self.assertEqual(changes(counts(allocations=1), counts(allocations=0)), [("allocations", False)])
        self.assertEqual(changes(counts(retains=0), counts(retains=0.5)), [("retains", True)])
        self.assertEqual(changes(counts(releases=2), counts(releases=1)), [("releases", False)])

    def test_one_object_that_grows_by_a_word_is_noticed(self):
        self.assertEqual(changes(counts(bytes=48), counts(bytes=56)), [("bytes", True)])

    def test_occasional_work_is_not_noticed(self):
        self.assertEqual(changes(counts(allocations=4.06, bytes=176), counts(allocations=4.065, bytes=176.5)), [])

    def test_a_probe_that_is_not_recorded_is_no_change(self):
        self.assertEqual(baseline.changes({}, {"emit": counts()}), [])


class Record(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "instructions.json"

    def test_what_is_written_is_read(self):
        baseline.write(self.path, {"emit": counts(59.123, allocations=-0.0005), "zip": counts(2)})
        found = baseline.read(self.path)
        self.assertEqual(found.probes, {"emit": counts(59.12), "zip": counts(2)})
        self.assertEqual(baseline.differing(found.conditions, baseline.conditions()), [])
        self.assertNotIn("-0.0", self.path.read_text())

    def test_another_compiler_is_named(self):
        now = {"swift": "6.4", "processor": "x86_64"}
        self.assertEqual(
            baseline.differing({"swift": "6.3", "processor": "x86_64"}, now), ["swift 6.4, recorded with 6.3"]
        )

    def test_a_file_that_is_absent_or_of_another_kind_fails_with_the_remedy(self):
        for text in (None, "{", "[]", '{"probes": {}}', '{"conditions": {}, "probes": {"emit": {"cycles": 1}}}'):
            if text is not None:
                self.path.write_text(text)
            with self.assertRaisesRegex(Failure, "--record"):
                baseline.read(self.path)


class Counting(unittest.TestCase):
    def test_a_profile_names_a_function_once_and_then_by_number(self):
        profile = "\n".join(
            ["fn=(1) probeEmit", "cfn=(2) swift_retain", "calls=3 0", "cfn=(3) swift_release", "calls=2 0"]
            + ["cfn=(2)", "calls=4 0", "cfn=(4) _swift_retain_", "calls=7 0", "totals: 1234"]
        )
        self.assertEqual(callgrind.parsed(profile), (1234, 7, 2))

    def test_the_function_itself_is_watched_and_none_of_its_closures(self):
        # With a pattern that also matches its closures, counting stops whenever the function calls one.
        function, other = "$s9WeirProbe9probeLifeyySpySiG_SitF", "$s9WeirProbe13probeLifelongyySitF"
        closures = [function + end for end in ("ySiYbcfU_", "ySiYbcfU0_", "ySiYbcfU12_TA")]
        inlined = "$s4Weir3mapyyTG503$s9a9Probe9probeLifeyySpySiG_SitFySiYbcfU_"
        commands = []

        def output_of(command, told=None):
            commands.append(command)
            if command[0] == "nm":
                return "".join(f"000012 t {name}\n" for name in [*closures, function, other, inlined]) + f"         U {other}\n"
            output = next(part for part in command if part.startswith("--callgrind-out-file=")).partition("=")[2]
            runs = [int(part) for part in command if part.isdigit()]
            # What the program does once counts as the first run's; the profile in front of that has no run.
            for number, instructions in enumerate([0, runs[0] + 1_000, *runs[1:-1]], 1):
                Path(f"{output}.{number}").write_text(f"totals: {instructions}")
            return "\n".join(f'{{"allocations": {2 * run}, "bytes": 0}}' for run in runs)

        with unittest.mock.patch("package.output_of", output_of):
            found = probes.counted("some/WeirProbe", [probes.Probe("subject-life", "probeLife", "")], lambda line: None)
        self.assertEqual(found["subject-life"], counts(instructions=1, allocations=2))
        watched = {part for command in commands for part in command if part.startswith("--toggle-collect")}
        self.assertEqual(watched, {f"--toggle-collect={function}"})

    def test_a_function_that_a_run_does_not_call_once_is_named(self):
        def output_of(command, told=None):
            output = next(part for part in command if part.startswith("--callgrind-out-file=")).partition("=")[2]
            for number in range(calls):
                Path(f"{output}.{number + 1}").write_text("totals: 1")
            return ""

        for calls in (0, 2, 6):
            with unittest.mock.patch("package.output_of", output_of):
                with self.assertRaisesRegex(Failure, f"{calls} calls of probeLife in 3 runs of the probe subject-life; each run must"):
                    callgrind.counts("some/WeirProbe", "subject-life", "probeLife", [5, 7])

    def valgrind(self, text):
        """An environment whose valgrind is this shell script."""
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        program = Path(directory.name) / "valgrind"
        program.write_text("#!/bin/sh\n" + text)
        program.chmod(0o755)
        return directory.name, os.environ | {"PATH": f"{directory.name}:{os.environ['PATH']}"}

    def test_a_probe_that_fails_under_valgrind_is_named_with_what_it_said(self):
        _, environment = self.valgrind("echo said >&2; exit 3\n")
        with unittest.mock.patch.dict(os.environ, environment):
            with self.assertRaisesRegex(Failure, "^the probe zip under valgrind exited with 3:\nsaid$"):
                callgrind.counts("some/WeirProbe", "zip", "probeInTurn", [5, 7])

    def test_probes_that_run_are_ended_by_an_interrupt(self):
        directory, environment = self.valgrind('echo $$ >"$0.$$.new"; mv "$0.$$.new" "$0.$$"; exec sleep 60\n')
        count = "import callgrind, probes; callgrind.symbols = callgrind.symbol_of = lambda *_: 'probeEmit'"
        run = "from command import main; main(lambda _: probes.counted('some/WeirProbe', probes.PROBES, print))"
        command = [sys.executable, "-B", "-c", f"{count}; {run}"]
        with subprocess.Popen(command, cwd=PERF / "lib", env=environment, stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 10
            while not (begun := list(Path(directory).glob("valgrind.*[0-9]"))) and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=10)
        self.assertEqual((process.returncode, said), (130, "perf/-c: stopped by SIGINT, nothing written\n"))
        for each in begun:
            with self.assertRaises(ProcessLookupError):
                os.kill(int(each.suffix[1:]), 0)

    def test_a_function_with_no_symbol_or_with_two_is_named(self):
        for known in ([], ["$s9WeirProbe9probeLifeyyFyycfU_"], ["$s9WeirProbe9probeLifeyyF", "$s9WeirProbe9probeLifeyySiF"]):
            with self.assertRaisesRegex(Failure, "probeLife.* never inlined"):
                callgrind.symbol_of("probeLife", "some/WeirProbe", known)

    def test_a_probe_that_retains_but_must_not_is_named(self):
        found = {"emit": counts(retains=1), "group": counts(retains=1), "hop-deliver": counts(retains=0.008)}
        self.assertEqual(list(probes.retaining(found)), ["emit (1.000 per event)"])

    def test_probes_that_may_retain_do_so_on_record(self):
        # All others are guarded.
        recorded = baseline.read(PERF / "baselines" / "instructions.json").probes
        self.assertEqual({name for name in probes.MAY_RETAIN if recorded[name].retains < 1}, set())


class SharedLines(unittest.TestCase):
    CODE = """
0000000000036a00 <weir_block_free>:
   36a28:\tlock incq 0x223978(%rip)        # 25a3a8 <blocks_alive>
0000000000036b00 <$s4Weir6tickety>:
   36b28:\tlock xadd %rax,0x223978(%rip)        # 25a3b0 <tickets+0x8>
   36b38:\tlock xadd %rax,0x223978(%rip)        # 25a3b0 <tickets+0x8>
   36b48:\txchg   %rax,0x8(%rdi)
   36b58:\tmov    0x223978(%rip),%rax        # 25a3b0 <tickets>
0000000000036c00 <$s4Weir5openedy>:
   36c28:\txchg   %rax,0x223978(%rip)        # 25a3b8 <door>
"""

    def test_functions_with_an_atomic_operation_on_a_global_variable_are_named_once(self):
        found = list(shared_lines.found(self.CODE.splitlines()))
        self.assertEqual(found, ["tickets in $s4Weir6tickety", "door in $s4Weir5openedy"])

    def test_the_counter_of_blocks_may_be_one(self):
        with unittest.mock.patch("shared_lines.ALLOWED", set()):
            self.assertIn("blocks_alive in weir_block_free", list(shared_lines.found(self.CODE.splitlines())))
