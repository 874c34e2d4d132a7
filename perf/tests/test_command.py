# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""How the scripts end if their output cannot be written, and how they refuse bad arguments."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import report
from command import USAGE, Failure, writable_directory, writable_file, write_whole

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ("compare", "compare-goaccess", "explore", "fuzz", "generate-access-log", "instructions", "memory", "mutants", "plot", "quote",
           "run", "server", "soak")  # fmt: skip
LINES = "from command import main; main(lambda arguments: print('line\\n' * 100_000))"


class CommandTests(unittest.TestCase):
    def run_lines(self, **options):
        return subprocess.Popen(
            [sys.executable, "-B", "-c", LINES], cwd=ROOT / "perf" / "lib", stderr=subprocess.PIPE, text=True, **options)

    def test_a_reader_that_stops_reading(self):
        process = self.run_lines(stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "line\n")
        process.stdout.close()
        self.assertEqual(process.stderr.read(), "")
        self.assertEqual(process.wait(), 128 + 13)
        process.stderr.close()

    def test_full_disk(self):
        with open("/dev/full", "w") as full:
            process = self.run_lines(stdout=full)
        _, message = process.communicate()
        self.assertEqual(process.returncode, 74)
        self.assertEqual(message, "perf/-c: standard output: No space left on device; make room there\n")

    def test_a_closed_output(self):
        for script in SCRIPTS:
            if b"python3" not in (ROOT / "perf" / script).read_bytes().splitlines()[0]:
                continue
            with self.subTest(script):
                command = ["sh", "-c", 'exec "$0" --help >&-', ROOT / "perf" / script]
                done = subprocess.run(command, capture_output=True, text=True)
                said = f"perf/{script}: standard output: is closed; leave it open, or write to a file or /dev/null\n"
                self.assertEqual((done.returncode, done.stderr), (74, said))

    def test_bad_usage_of_each_script(self):
        for script in SCRIPTS:
            with self.subTest(script):
                result = subprocess.run([ROOT / "perf" / script, "--no-such-option"], capture_output=True, text=True)
                self.assertEqual(result.returncode, 64)
                self.assertIn(f"perf/{script}", result.stderr)
                self.assertNotIn("Traceback", result.stderr)

    def test_a_script_that_is_interrupted_while_it_imports_ends_without_a_traceback(self):
        with tempfile.TemporaryDirectory() as directory:
            # Takes the place of the one in the library.
            slow = "import os, time\nopen(os.environ['BEGUN'], 'w').close()\ntime.sleep(20)\n"
            (Path(directory) / "argparse.py").write_text(slow)
            for script in SCRIPTS:
                begun = Path(directory) / f"begun-{script}"
                environment = os.environ | {"PYTHONPATH": directory, "BEGUN": str(begun)}
                if b"python3" not in (ROOT / "perf" / script).read_bytes().splitlines()[0]:
                    continue
                with self.subTest(script):
                    command = [sys.executable, ROOT / "perf" / script, "--help"]
                    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
                    while not begun.exists() and process.poll() is None:
                        time.sleep(0.005)
                    process.send_signal(signal.SIGINT)
                    _, said = process.communicate()
                    self.assertEqual(process.returncode, 130)
                    self.assertEqual(said, f"perf/{script}: stopped by SIGINT, nothing written\n")

    def test_help_of_each_script(self):
        for script in (*(f"perf/{name}" for name in SCRIPTS), ".ci/run", ".ci/in-two", ".ci/arm64", ".ci/watched"):
            with self.subTest(script):
                # By a relative path, from a directory other than the checkout.
                program = Path(ROOT.name) / script
                result = subprocess.run([program, "--help"], cwd=ROOT.parent, capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn(script, result.stdout)


class Places(unittest.TestCase):
    """Where results are written. The pipe stands for everything that is not a regular file: a device would be replaced in the same way."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.pipe, self.file = self.directory / "pipe", self.directory / "file"
        os.mkfifo(self.pipe)
        self.file.write_text("old")

    def refused(self, check, path, *more, reason=""):
        with self.assertRaisesRegex(Failure, reason or path.name) as caught:
            check(path, *more)
        self.assertEqual(caught.exception.status, USAGE)

    def test_a_pipe_a_directory_and_a_place_that_is_not_there_are_refused_for_a_file(self):
        for path in (self.pipe, self.directory, self.directory / "no" / "x.json", self.file / "x.json"):
            self.refused(writable_file, path)
        link = self.directory / "link"
        link.symlink_to(self.pipe)
        self.refused(writable_file, link)
        writable_file(self.file)
        writable_file(self.directory / "new.json")

    def test_a_file_that_cannot_be_written_is_named_and_keeps_its_content(self):
        limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
        # As if the disk were full.
        full = "import os; os.chmod = lambda *_: os.write(os.open('/dev/full', os.O_WRONLY), b'new')"
        write = "from pathlib import Path; from command import main, write_whole; main(lambda found: write_whole(Path(found[0]), 'new' * 1000))"
        for cause, reason in ((limit, "File too large"), (full, "No space left on device; make room there")):
            with self.subTest(reason):
                command = [sys.executable, "-B", "-c", f"{cause}; {write}", self.file]
                done = subprocess.run(command, cwd=ROOT / "perf" / "lib", capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (74, f"perf/-c: {self.file}: {reason}\n"))
                self.assertEqual(self.file.read_text(), "old")
                self.assertEqual(sorted(os.listdir(self.directory)), ["file", "pipe"])

    def test_an_error_names_the_file_and_not_the_temporary_one(self):
        path = self.directory / "no" / "x.json"
        with self.assertRaises(OSError) as caught:
            write_whole(path, "text")
        self.assertEqual((caught.exception.filename, caught.exception.filename2), (str(path), None))

    def test_a_place_that_cannot_be_looked_into_is_refused(self):
        locked, loop = self.directory / "locked", self.directory / "loop"
        locked.mkdir(0o000)
        loop.symlink_to(loop)
        user = os.geteuid()
        if user == 0:
            # Root may look everywhere.
            os.chmod(self.directory, 0o755)
            os.seteuid(65534)
        try:
            self.refused(writable_file, locked / "x.json", reason=f"^--json .*x.json: no permission to look into {locked}; name a file in")
            self.refused(write_whole, locked / "x.json", "text", reason="no permission to look into")
        finally:
            os.seteuid(user)
        self.refused(writable_file, loop, reason="Too many levels of symbolic links; name another file")

    def test_standard_output_is_no_place_for_results(self):
        self.refused(writable_file, Path("-"), reason="^--json -: standard output has the figures as a text for people; name a file$")

    def test_only_a_regular_file_is_replaced(self):
        self.refused(write_whole, self.pipe, "text")
        self.assertTrue(stat.S_ISFIFO(self.pipe.stat().st_mode))
        write_whole(self.file, "new")
        self.assertEqual(self.file.read_text(), "new")
        self.assertEqual(sorted(os.listdir(self.directory)), ["file", "pipe"])

    def test_the_file_that_the_output_goes_to_is_not_replaced(self):
        check = "import sys; from pathlib import Path; from command import main, writable_file; main(lambda found: writable_file(Path(found[0])))"
        for descriptor in ("stdout", "stderr"):
            for name in (self.file, f"/dev/{descriptor}"):
                others = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
                with self.subTest(name), open(self.file, "a") as file:
                    command = [sys.executable, "-B", "-c", check, name]
                    done = subprocess.run(command, cwd=ROOT / "perf" / "lib", **others | {descriptor: file})
                    self.assertEqual(done.returncode, USAGE)
        self.assertTrue(self.file.read_text().startswith("old"))

    def test_a_directory_that_cannot_be_made_is_refused(self):
        for path in (self.file, self.file / "deep" / "out", self.pipe / "out"):
            self.refused(writable_directory, path, "--report")
        report.checked(self.directory, "--report")
        (self.directory / "table.md").mkdir()
        self.refused(report.checked, self.directory, "--report")
        writable_directory(self.directory / "deep" / "out", "--report")
        writable_directory(self.directory, "--report")

    def test_each_script_refuses_a_pipe_before_it_builds(self):
        for script in ("run", "server", "memory"):
            with self.subTest(script):
                done = subprocess.run([ROOT / "perf" / script, "--json", self.pipe], capture_output=True, text=True, timeout=20)
                self.assertEqual(done.returncode, 64, done.stderr)
                self.assertIn(str(self.pipe), done.stderr)
                self.assertNotIn("building", done.stderr)
                self.assertTrue(stat.S_ISFIFO(self.pipe.stat().st_mode))


if __name__ == "__main__":
    unittest.main()
