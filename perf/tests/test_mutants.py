# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""What perf/mutants reports, and how it exits; no mutant is built."""

import contextlib
import hashlib
import importlib.machinery
import importlib.util
import io
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import command
import mutant_build
import mutant_records as records
import mutant_run
import mutant_sites

MUTANTS = Path(__file__).resolve().parents[1] / "mutants"


def loaded():
    """The script as a module, without running it."""
    loader = importlib.machinery.SourceFileLoader("mutants", str(MUTANTS))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
    with mock.patch.object(command, "main"):
        loader.exec_module(module)
    return module


class Mutants(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.progress = Path(directory.name) / "progress.txt"

    def resumed(self, verdicts, done=("first", "second")):
        """Continues a run that has finished the mutants `done`. Every mutant that it runs is killed. Returns the exit code, and what was run."""
        module, ran = loaded(), []
        found = {name: records.Result(name, verdict, "suite", "1") for name, verdict in verdicts.items()}
        self.progress.write_text("".join(name + "\n" for name in done))

        def run(names):
            ran.extend(names)
            found.update({name: records.Result(name, "killed: test", "suite", "1") for name in names})

        with contextlib.ExitStack() as stack:
            for target, name, value in (
                (module, "PROGRESS", self.progress),
                (module, "Runner", lambda *_: types.SimpleNamespace(run=run)),
                (module.mutant_build, "build", lambda schemata: None),
                (module.mutant_sites, "covered", lambda: types.SimpleNamespace(names=["first", "second", "last"])),
                (records, "results", lambda: dict(found)),
                (records, "survivors", dict),
            ):
                stack.enter_context(mock.patch.object(target, name, value))
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
            return module.run(["--resume"]), ran

    def test_the_manifest_of_the_copy_lacks_declarations_and_nothing_else(self):
        original = (MUTANTS.parent.parent / "Package.swift").read_text()
        left = mutant_build.manifest(original).splitlines()
        dropped = [line.strip() for line in original.splitlines() if line not in left]
        self.assertEqual([line for line in dropped if not line.startswith((".target(", ".executable", ".testTarget(", ".library(", "name: ", "dependencies: ", "if isOwnBuild"))], [])
        for target in mutant_build.TARGETS:
            self.assertTrue(any(f'name: "{target}"' in line for line in dropped), target)
            self.assertFalse(any(f'name: "{target}"' in line for line in left), target)

    def test_a_checkout_whose_path_has_a_space(self):
        place = self.progress.parent / "a checkout"
        place.mkdir()
        (place / "tests").touch()
        schemata = types.SimpleNamespace(names=[], texts={})
        digest = hashlib.sha256(repr(sorted(mutant_build.copied(schemata).items())).encode()).hexdigest()
        (place / "built.txt").write_text(f"{digest} {place / 'tests'}")
        with mock.patch.object(mutant_build, "BUILT", place / "built.txt"):
            self.assertEqual(mutant_build.build(schemata), place / "tests")

    def test_the_sanitizer_finds_its_file_in_any_checkout(self):
        for name, mark in (("a checkout", '"'), ("someone's", '"'), ('the "new" one', "'")):
            place = self.progress.parent / name / "thread.supp"
            place.parent.mkdir()
            with self.subTest(name), mock.patch.object(mutant_run, "SUPPRESSIONS", place):
                self.assertIn(f"suppressions={mark}{place}{mark}", mutant_run.environment(1, "Orders/")["TSAN_OPTIONS"])

    def test_an_operation_on_an_unknown_receiver_gets_mutants(self):
        # So that nothing is left out silently: if it is no atomic word, `--check` finds the mutants without a verdict.
        (site,) = mutant_sites.sites("Weir/A.swift", "func f() { gadget.add(1) }")
        self.assertEqual((site.name, site.kinds), ("A.f.add", ["relaxed"]))

    def test_a_word_that_has_the_name_of_something_else_is_an_error(self):
        for declaration in ("var list: AtomicWord { AtomicWord(words) }", "let list = AtomicWord(words)"):
            with self.assertRaisesRegex(command.Failure, "Sources/Weir/A.swift: list is an atomic word here"):
                list(mutant_sites.sites("Weir/A.swift", declaration + "\nfunc f() { list.add(1) }"))
            # The other methods are only those of words.
            (site,) = mutant_sites.sites("Weir/A.swift", declaration + "\nfunc f() { list.load() }")
            self.assertEqual(site.name, "A.f.load")

    def test_what_is_taken_for_no_word_occurs(self):
        code = "".join(mutant_sites.quiet(file.read_text()) for file in (mutant_sites.SOURCES / "Weir").rglob("*.swift"))
        found = {(match["receiver"], match["method"]) for match in mutant_sites.OPERATION.finditer(code)}
        self.assertEqual(mutant_sites.NOT_WORDS - found, set(), "remove these from NOT_WORDS: a word with such a name would get no mutants")

    def test_mutants_that_survived_before_an_interruption_are_reported_after_it(self):
        self.assertEqual(self.resumed({"first": records.SURVIVED, "second": "killed: test"}), (1, ["last"]))
        self.assertEqual(self.resumed({"first": "killed: test", "second": "killed: race"}), (0, ["last"]))

    def test_mutants_that_were_run_but_have_no_verdict_are_run_again(self):
        self.assertEqual(self.resumed({"second": "killed: test"}), (0, ["first", "last"]))


if __name__ == "__main__":
    unittest.main()
