# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""How the scripts refuse bad arguments and report failures; nothing is measured."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from perf.tests.test_in_two import is_alive

PERF = Path(__file__).resolve().parents[1]


class Scripts(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def run_script(self, name, *arguments, **options):
        done = subprocess.run([PERF / name, *arguments], capture_output=True, text=True, timeout=60, **options)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def refused(self, name, *arguments, **options):
        done = self.run_script(name, *arguments, **options)
        self.assertEqual(done.returncode, 64, (arguments, done.stderr))
        self.assertIn(f"perf/{name}: ", done.stderr)
        return done.stderr

    def program(self, name, text):
        path = self.directory / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def path_with(self, *names):
        """An environment whose PATH has only these programs."""
        places = self.directory / "bin"
        places.mkdir()
        for name in names:
            (places / name).symlink_to(shutil.which(name))
        return os.environ | {"PATH": str(places)}

    def test_counts_are_from_one_on(self):
        for option in ("--lines", "--repetitions"):
            for count in ("0", "-1", "many"):
                self.refused("compare-goaccess", option, count)
        for count in ("0", "-1", "many"):
            self.refused("generate-access-log", "--lines", count)
            self.refused("explore", count)
            self.refused("fuzz", count)
        self.refused("fuzz", "00")
        for count in ("00", "", "1234567890", str(2**63 - 1)):
            self.refused("explore", count)
        self.refused("explore", "1", "2")
        # Without swift, so that nothing is built.
        self.refused("fuzz", "", env=self.path_with("bash", "env", "dirname"))

    def test_inspect_says_what_it_needs(self):
        for arguments in ([], ["objects"], ["threads", "1"], ["objects", "many"], ["objects", "1", "--top", "0"]):
            self.refused("inspect", *arguments)
        # No process has this number: it is above the largest that Linux allows.
        done = self.run_script("inspect", "objects", "5000000")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("there is no process 5000000", done.stderr)
        path = self.path_with("python3", "env")
        self.assertIn("binutils", self.run_script("inspect", "tasks", str(os.getpid()), env=path).stderr)
        # A process that runs no Swift has no objects.
        done = self.run_script("inspect", "objects", str(os.getpid()), "--json")
        self.assertEqual(json.loads(done.stdout)[:-1], [])

    def test_malformed_settings_of_the_explorer_are_refused(self):
        bad = {
            "WEIR_EXPLORE_SEED": ("", "many", "-1", "1" * 20),
            "WEIR_EXPLORE_REPLAY": ("", "name", "name@", "@A", "name@3", "name@A3!"),
        }
        for variable, texts in bad.items():
            for text in texts:
                self.assertIn(f"{variable}='{text}'", self.refused("explore", "1", env=os.environ | {variable: text}))

    def test_a_schedule_of_an_unknown_scenario_is_refused(self):
        # Only one of the two processes has the scenario.
        self.program("swift", "case \"$*\" in *--skip*) echo 'explored known: here: 1 schedules, 3 steps' ;; esac\n")
        environment = os.environ | {"PATH": f"{self.directory}:{os.environ['PATH']}"}
        self.assertIn("'unknown'", self.refused("explore", "1", env=environment | {"WEIR_EXPLORE_REPLAY": "unknown@A"}))
        self.refused("explore", "1", env=environment | {"WEIR_EXPLORE_REPLAY": "known@A"})
        for settings in ({}, {"WEIR_EXPLORE_REPLAY": "known: here@A2b"}):
            self.assertEqual(self.run_script("explore", "1", env=environment | settings).returncode, 0)

    def test_a_checkout_whose_path_has_a_space_or_a_quote(self):
        # The sanitizers read their options from the environment, where a space separates them, and a quote ends what is in such quotes.
        self.program("swift", 'echo "$LSAN_OPTIONS" "${TSAN_OPTIONS-}"\n')
        environment = os.environ | {"PATH": f"{self.directory}:{os.environ['PATH']}"}
        for name, mark in (("a checkout", '"'), ("someone's", '"'), ('the "new" one', "'")):
            checkout = self.directory / name
            for file in ("perf/explore", "perf/lib/shell.sh", ".ci/run", ".ci/in-two", ".ci/watched"):
                (checkout / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PERF.parent / file, checkout / file)
            for command, sanitizers in (("perf/explore", "l"), (".ci/run", "lt")):
                with self.subTest(command, checkout=name):
                    arguments = "1" if command == "perf/explore" else "format"
                    done = subprocess.run([checkout / command, arguments], env=environment, capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    for each in sanitizers:
                        self.assertIn(f"suppressions={mark}{checkout}/Tests/{each}san.supp{mark}:", done.stdout)

    def outlived(self, stopping, script, *arguments):
        """Runs a script whose tests do not end, and stops it once they run. Returns its exit code, which of its
        processes still run, and which temporary files are left. Each has written its id to a file in the folder $NUMBERS."""
        folder = Path(tempfile.mkdtemp(dir=self.directory))
        numbers = [folder / name for name in ("first", "beside")]
        temporary = folder / "temporary"
        temporary.mkdir()
        environment = os.environ | {"PATH": f"{self.directory}:{os.environ['PATH']}", "TMPDIR": str(temporary), "NUMBERS": str(folder)}
        environment["WEIR_SCRATCH_PATH"] = str(folder)
        # A shell that was started with interrupts ignored, as these tests may be, would keep ignoring them.
        command = ["env", "--default-signal=INT", PERF.parent / script, *arguments]
        options = {"start_new_session": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, env=environment, **options) as process:
            deadline = time.monotonic() + 10
            while not all(number.exists() for number in numbers) and time.monotonic() < deadline:
                time.sleep(0.01)
            # Ctrl-C is sent to all processes of the terminal, any other signal to one.
            (os.killpg if stopping == signal.SIGINT else os.kill)(process.pid, stopping)
            status = process.wait(20)
        ids = [int(number.read_text()) for number in numbers]
        deadline = time.monotonic() + 10
        while any(map(is_alive, ids)) and time.monotonic() < deadline:
            time.sleep(0.01)
        left = [each for each in ids if is_alive(each)]
        for each in left:
            os.kill(each, signal.SIGKILL)
        return status, left, [each.name for each in temporary.iterdir()]

    def endless(self, name):
        """A command that does not end, in a process group of its own as SwiftPM's tests. Its id is in `$NUMBERS/NAME`."""
        number = f'"$NUMBERS"/{name}'
        return f"setsid sleep 60 & echo $! >{number}.new; mv {number}.new {number}; wait"

    def expect_nothing_outlives(self, *scripts):
        """Stops each of the scripts by each of the two signals, all side by side, as they mostly wait."""
        stops = [(script, *stop) for stop in ((signal.SIGINT, 130), (signal.SIGTERM, 143)) for script in scripts]
        with ThreadPoolExecutor(len(stops)) as pool:
            outcomes = list(pool.map(lambda stop: self.outlived(stop[1], *stop[0]), stops))
        for (script, stopping, status), outcome in zip(stops, outcomes):
            with self.subTest(script[0], signal=stopping.name):
                self.assertEqual(outcome, (status, [], []))

    def test_no_test_outlives_a_script_that_is_stopped(self):
        # The background process ignores interrupts, as all that a shell starts in the background.
        tests = f"""case "$*" in
            build*) exit ;;
            *"--skip "*) {self.endless("first")} ;;
            *) {self.endless("beside")} ;;
        esac
        """
        self.program("swift", tests)
        self.program("tests", tests)
        self.expect_nothing_outlives(
            ("perf/explore", "1"),
            (".ci/in-two", "All", "One", ".ci/watched", str(self.directory / "tests")),
            (".ci/run", "explore"),
        )

    def test_no_compiler_outlives_a_fuzzer_that_is_stopped(self):
        # A compiler, and a process that it has started.
        self.program("swiftc", """cd "$NUMBERS"
            sleep 60 & echo $! >new; mv new beside
            echo $$ >new; mv new first; wait
        """)
        self.program("clang", "")
        self.program("ls", 'case "$*" in *libclang_rt.fuzzer*) ;; *) exec /bin/ls "$@" ;; esac\n')
        self.expect_nothing_outlives(("perf/fuzz", "1"))

    def test_no_compiler_outlives_a_build_that_is_stopped(self):
        # Like SwiftPM, which ends its compilers only when it is interrupted; they have process groups of their own.
        self.program("swift", f"""trap 'kill $!; exit 130' INT
            echo $$ >"$NUMBERS/new"; mv "$NUMBERS/new" "$NUMBERS/beside"
            {self.endless("first")}
        """)
        self.expect_nothing_outlives(("perf/memory",))

    def test_unknown_steps_and_folders_are_refused(self):
        for name, argument in (("run", "nosuch"), ("run", ""), ("run", "format scripts"), ("run", "--quick"), ("arm64", ""), ("arm64", "--quick")):
            with self.subTest((name, argument)):
                done = subprocess.run([PERF.parent / ".ci" / name, argument], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (64, ""))
                self.assertIn(f"'{argument}'", done.stderr)

    def test_each_step_is_a_function_and_in_the_help(self):
        text = (PERF.parent / ".ci" / "run").read_text()
        steps = re.search(r"^all=\((.*)\)", text, re.MULTILINE)[1].split()
        self.assertEqual(steps, re.findall(r"^step_(\w+)\(\)", text, re.MULTILINE))
        self.assertIn(f"some of them: {' '.join(steps)}\n", text)

    def test_a_run_for_arm64_needs_a_folder(self):
        done = subprocess.run([PERF.parent / ".ci" / "arm64"], capture_output=True, text=True)
        said = ".ci/arm64: name a folder for the systems, see .ci/arm64 --help\n"
        self.assertEqual((done.returncode, done.stdout, done.stderr), (64, "", said))

    def test_a_run_for_arm64_leaves_no_emulator_behind_that_was_not_there_before(self):
        emulators, systems, log = (self.directory / name for name in ("binfmt_misc", "systems", "log"))
        entry = emulators / "qemu-aarch64"
        self.program("id", "echo 0\n")
        for tool in ("qemu-aarch64-static", "debootstrap"):
            self.program(tool, "")
        # These stand for what only root may do: a mounted binfmt_misc has a file `register`.
        self.program("mount", f'echo "mount $*" >>{log}; case "$*" in *binfmt_misc*) : >{emulators}/register ;; esac\n')
        self.program("umount", f'echo "umount $*" >>{log}\n')
        self.program("chroot", "exit 3\n")
        environment = os.environ | {"PATH": f"{self.directory}:{os.environ['PATH']}", "BINFMT_MISC": str(emulators)}
        for system in ("amd64", "arm64"):
            (systems / system / "usr/lib/swift").mkdir(parents=True)
            (systems / system / "root").mkdir()
            (systems / system / "made").touch()
        # The kernel would remove what is registered when -1 is written to it; here that stays to be seen.
        for before, registered, unmounted in (
            ([], True, True),
            (["register"], True, False),
            (["register", "qemu-aarch64"], False, False),
        ):
            with self.subTest(before):
                shutil.rmtree(emulators, ignore_errors=True)
                emulators.mkdir()
                for name in before:
                    (emulators / name).write_text("")
                log.write_text("")
                command = [PERF.parent / ".ci" / "arm64", systems]
                done = subprocess.run(command, capture_output=True, text=True, env=environment)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertEqual("aarch64" in (emulators / "register").read_text(), registered)
                self.assertEqual(entry.exists() and entry.read_text() == "-1\n", registered)
                lines = log.read_text().splitlines()
                self.assertEqual(f"umount {emulators}" in lines, unmounted)
                self.assertEqual(sum("umount" in line for line in lines), sum("umount" not in line for line in lines))

    def test_checks_that_need_valgrind_are_not_left_out_silently(self):
        tools = self.path_with("bash", "env", "dirname", "python3", "sleep")
        for tool in ("swift", "timeout"):
            (self.directory / "bin" / tool).symlink_to("/bin/true")
        done = subprocess.run([PERF.parent / ".ci" / "run", "release"], capture_output=True, text=True, env=tools)
        self.assertEqual(done.returncode, 0, done.stderr)
        last = done.stdout.splitlines()[-1]
        self.assertIn("all passed: release", last)
        self.assertIn("valgrind is not installed", last)

    def test_memory_is_counted_before_benchmarks_run_for_minutes(self):
        tools = self.path_with("python3", "env")
        (self.directory / "bin" / "swift").symlink_to("/bin/false")
        done = self.run_script("run", env=tools | {"WEIR_SCRATCH_PATH": str(self.directory)})
        self.assertEqual(done.returncode, 1)
        self.assertEqual([line for line in done.stderr.splitlines() if line.startswith("building")], ["building WeirMemory"])

    def test_results_of_one_program_are_kept_when_the_other_fails_or_is_interrupted(self):
        result = {"scenario": "emit/1", "implementation": "weir", "ns_min": 1.5, "ns_median": 2.0, "allocations": 0}
        tools = self.programs_of_a_run(f"echo '{json.dumps(result)}'", 'kill -$SIGNAL $PPID; kill "-$SIGNAL" 0; exit 70')
        found = self.directory / "found.json"
        for setting, status, text in (("INT", 130, "stopped by SIGINT, what was"), ("0", 70, "HopBench exited with 70, see above; what was")):
            found.unlink(missing_ok=True)
            done = self.run_script("run", "--only", "emit/1,hop", "--json", found, env=tools | {"SIGNAL": setting})
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(f"{text} measured before is printed and written to {found}\n", done.stderr)
            self.assertIn("1.50 (2.00)", done.stdout)
            (kept,) = json.loads(found.read_text())
            self.assertEqual(kept["scenario"], "emit/1")
            # So that nobody has to guess later what was measured.
            self.assertIn(f"\nweir     {kept['revision']}\n", done.stdout)
            self.assertRegex(kept["revision"], r"[0-9a-f]{7}|unknown")

    def test_results_of_a_server_are_kept_when_a_later_run_fails_or_is_interrupted(self):
        names = ("milliseconds", "deliveries", "received", "missing", "told_lost", "disordered", "strange")
        result = json.dumps(dict.fromkeys(names, 0) | {"milliseconds": 1000, "deliveries": 4321})
        # Not the first broker.
        self.program("ServerLoad", f"""case "$*" in
            *weir*) echo '{result}' ;;
            *) kill -$SIGNAL $PPID; kill "-$SIGNAL" 0; exit 70 ;;
        esac
        """)
        tools, found = self.nothing_built(), self.directory / "found.json"
        for setting, status, text in (("INT", 130, "stopped by SIGINT, what was"), ("0", 70, "ServerLoad exited with 70, see above; what was")):
            found.unlink(missing_ok=True)
            done = self.run_script("server", "--quick", "--only", "broker/wide", "--json", found, env=tools | {"SIGNAL": setting})
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(f"{text} measured before is printed and written to {found}\n", done.stderr)
            self.assertIn("4,321", done.stdout)
            (kept,) = json.loads(found.read_text())
            self.assertEqual(kept["broker"], "weir")
            self.assertIn(f"\nweir     {kept['revision']}\n", done.stdout)

    def test_an_empty_only_is_refused_before_anything_is_built(self):
        for only in ("", ",", ",,"):
            self.assertNotIn("building", self.refused("run", "--only", only))

    def test_an_only_with_a_part_that_matches_nothing_is_refused_with_the_scenarios_of_all_programs(self):
        tools = self.programs_of_a_run("exit 70", "exit 70")
        for only in ("hoop", "emit/1,hoop", "hoop,hop"):
            said = self.refused("run", "--only", only, env=tools)
            self.assertIn(f"--only '{only}': no scenario contains 'hoop'; give parts of these names: emit/1, hop/subject\n", said)

    def programs_of_a_run(self, weir, hop):
        """An environment in which nothing is built, and the two programs of perf/run run these shell commands."""
        self.program("WeirBench", f'[ "$1" = --list ] && echo emit/1 && exit\n{weir}\n')
        self.program("HopBench", f'[ "$1" = --list ] && echo hop/subject && exit\n{hop}\n')
        return self.nothing_built()

    def nothing_built(self):
        """An environment in which nothing is built, and built programs are those in the directory of the test."""
        self.program("swift", f'case "$*" in *--show-bin-path*) echo {self.directory} ;; *--version*) echo Swift ;; esac\n')
        return os.environ | {"PATH": f"{self.directory}:{os.environ['PATH']}", "WEIR_SCRATCH_PATH": str(self.directory)}

    def test_an_unknown_option_is_refused(self):
        self.refused("quote", "--only", "rows")

    def test_a_malformed_number_is_refused_with_a_description_of_valid_ones(self):
        for name, arguments, valid in (
            ("compare-goaccess", ["--lines", "many"], "a whole number from 1 on"),
            ("generate-access-log", ["--seed", "x"], "a whole number"),
            ("generate-access-log", ["--malformed", "x"], "a number from 0 to 1"),
            ("soak", ["x"], "a number of minutes"),
            ("compare", ["a", "b", "--tolerance", "x"], "a factor of at least 1"),
        ):
            self.assertIn(f"'{arguments[-1]}' is not {valid}", self.refused(name, *arguments))

    def test_shares_are_from_0_to_1(self):
        for share in ("-0.1", "1.1", "nan", "some"):
            self.refused("generate-access-log", "--malformed", share)
        done = self.run_script("generate-access-log", "--lines", "3", "--malformed", "1")
        self.assertEqual((done.returncode, done.stdout.count("\n")), (0, 3))

    def test_a_missing_log_or_program_is_refused(self):
        for file in ("/no/such.log", str(self.directory)):
            self.refused("compare-goaccess", "--file", file)
        for binary in ("/no/such/program", str(self.directory), __file__, ""):
            self.refused("compare-goaccess", "--binary", binary)

    def test_a_missing_program_is_named(self):
        tools = self.path_with("python3", "bash", "dirname", "sed", "env")
        names = ("explore", "fuzz", "run", "server", "memory", "soak", "mutants", "compare-goaccess", "instructions")
        stubs = {"compare-goaccess": ("goaccess",), "instructions": ("valgrind", "nm")}
        for folder, name in (*(("perf", name) for name in names), (".ci", "run")):
            missing = (*stubs.get(name, ()), "swift")
            for number, tool in enumerate(missing):
                with self.subTest(f"{folder}/{name} without {tool}"):
                    for stub in missing[:number]:
                        (self.directory / "bin" / stub).symlink_to("/bin/true")
                    script = PERF.parent / folder / name
                    done = subprocess.run([script], capture_output=True, text=True, timeout=60, env=tools)
                    self.assertEqual(done.returncode, 69, done.stderr)
                    self.assertRegex(done.stderr, f"^{folder}/{name}: needs {tool}, which is not installed: .*install")
                    for stub in missing[:number]:
                        (self.directory / "bin" / stub).unlink()

    def test_a_failed_build_is_reported(self):
        tools = self.path_with("python3", "env")
        (self.directory / "bin" / "goaccess").symlink_to("/bin/true")
        (self.directory / "bin" / "swift").symlink_to("/bin/false")
        done = self.run_script("compare-goaccess", env=tools)
        self.assertEqual(done.returncode, 1)
        self.assertIn("swift exited with 1", done.stderr)

    def test_malformed_json_is_reported(self):
        log = self.directory / "access.log"
        log.write_text("")
        for answer in ("no JSON", "[1]", "{}", '{"requests": "many"}'):
            logstats = self.program("logstats", f"echo '{answer}'\n")
            with tempfile.TemporaryDirectory() as places:
                (Path(places) / "goaccess").symlink_to("/bin/true")
                environment = os.environ | {"PATH": places + ":" + os.environ["PATH"]}
                done = self.run_script(
                    "compare-goaccess", "--file", log, "--binary", logstats, "--repetitions", "1", env=environment)
            self.assertEqual(done.returncode, 1, answer)
            self.assertIn("logstats did not write JSON with a number of requests", done.stderr)

    def test_figures_beside_goaccess_say_what_was_measured_and_where(self):
        log = self.directory / "access.log"
        log.write_text("")
        logstats = self.program("logstats", """echo '{"requests": 3}'\n""")
        with tempfile.TemporaryDirectory() as places:
            (Path(places) / "goaccess").symlink_to(self.program("goaccess", """
                [ "$1" = --version ] && echo "GoAccess - 1.7." && exit
                until [ "$1" = -o ]; do shift; done
                echo '{"general": {"valid_requests": 3}}' > "$2"
            """))
            environment = os.environ | {"PATH": places + ":" + os.environ["PATH"]}
            found = self.directory / "found.json"
            # Whether it fails depends on how fast the two are, which is beside the point here.
            done = self.run_script(
                "compare-goaccess", "--file", log, "--binary", logstats, "--repetitions", "1", "--json", found, env=environment)
        self.assertRegex(done.stdout, r"(?s)machine  .*swift    .*weir     .*goaccess 1\.7\n\n3 requests, 1 repetitions in turn")
        first, *others = json.loads(found.read_text())
        self.assertEqual((first["program"], first["goaccess"], first["requests"]), ("logstats", "1.7", 3))
        self.assertEqual([each["program"] for each in others], ["goaccess", "goaccess, same reports"])

    def test_an_interrupted_log_is_reported_as_incomplete(self):
        with subprocess.Popen(
            [sys.executable, PERF / "generate-access-log", "--lines", "1000000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            process.stdout.read(1)
            process.send_signal(signal.SIGINT)
            _, message = process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"the log is not complete", message)

    def test_unknown_mutants_are_refused(self):
        for form in ([], ["--list"]):
            self.refused("mutants", "--only", "no such mutant", *form)
        self.refused("mutants", "--check", "--only", "NodePool")
        self.assertIn("among those that are named", self.refused("mutants", "NodePool.take:tag", "--only", "Memo"))


if __name__ == "__main__":
    unittest.main()
