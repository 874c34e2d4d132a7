# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The command line of perf/run, the run itself, and the parts that other measuring scripts use as well."""

import argparse
import contextlib
import json
from pathlib import Path

import machine
import package
import report
from command import Failure, Interrupted, writable_file, write_whole
from plotting import require
from results import checked_only, is_asked_for, matched_only, text

# The keys of a result in the file; the tables may use others. Few results have the last one.
KEYS = ("scenario", "implementation", "ns_min", "ns_median", "ns_q1", "ns_q3", "ns_min_odd", "ns_min_even", "allocations", "bytes", "failed",
        "operations", "machine", "revision", "histogram")  # fmt: skip
FULL = ["--repetitions", "35", "--milliseconds", "25"]
QUICK = ["--repetitions", "7", "--milliseconds", "8"]


def parse(arguments, name, description, epilog):
    parser = argparse.ArgumentParser(prog=name, description=description, epilog=epilog)
    parser.add_argument("--quick", action="store_true", help="7 short repetitions instead of 35: for a first look, not to be quoted")
    add_json(parser)
    parser.add_argument(
        "--report", metavar="DIRECTORY", type=Path,
        help="also write the results to DIRECTORY with plots and a Markdown table, as perf/plot does",
    )  # fmt: skip
    parser.add_argument(
        "--only", metavar="SUBSTRING",
        help="run only scenarios whose name contains SUBSTRING; separate several with commas. Memory is not measured then",
    )  # fmt: skip
    options = checked(parser.parse_args(arguments))
    checked_only(options.only)
    if options.report:
        require()
        report.checked(options.report, "--report")
    return options


def add_json(parser):
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to FILE, as a JSON array")


def checked(options):
    """Returns the options, or fails if --json names a file that cannot be written."""
    if options.json:
        writable_file(options.json)
    return options


def measured(products, options, show, memory=()):
    """Builds the programs and runs those that have a requested scenario, one after the other. Writes the results as --json and --report
    say, the latter with what was counted of memory, and calls `show` with them. If a program fails or is interrupted, the results of those
    before it are kept."""
    wanted = [] if options.only is None else ["--only", options.only]
    programs = _asked_for([package.build(product) for product in products], options.only)
    here = {"machine": machine.description_in_a_line(), "revision": machine.revision()}
    found = []
    with keeping(lambda: _kept(found, options, show)):
        for program in programs:
            found += [result | here for result in printed_by([program] + (QUICK if options.quick else FULL) + wanted)]
            written(found, options, KEYS)
    show(found)
    if options.report:
        report.written([chosen(result, KEYS) for result in found], options.report, [each | here for each in memory])


@contextlib.contextmanager
def keeping(kept):
    """If what is done in the `with` statement fails or is interrupted, calls `kept`, which saves the results so far and returns a text on
    that for the message; None if there are none."""
    try:
        yield
    except Interrupted as interrupted:
        interrupted.outcome = kept() or interrupted.outcome
        raise
    except Failure as failure:
        told = kept()
        raise Failure(f"{failure}; {told}" if told else str(failure), failure.status) from None


def told_kept(options):
    """What has become of the results so far, once they are printed and, with --json, written."""
    return "what was measured before is printed" + (f" and written to {options.json}" if options.json else "")


def _kept(found, options, show):
    """Shows the results so far. Writes no report: it would replace a complete one."""
    if not found:
        return None
    show(found)
    unmade = f"; {options.report} is unchanged" if options.report else ""
    return told_kept(options) + unmade


def _asked_for(programs, only):
    """The programs that have a scenario whose name contains one of the parts in `only`. Fails if no program has one for a part."""
    scenarios = {program: package.output_of([program, "--list"]).splitlines() for program in programs}
    matched_only(only, [name for names in scenarios.values() for name in names])
    return [program for program, names in scenarios.items() if any(is_asked_for(name, only) for name in names)]


def printed_by(command):
    """The results that a command prints, one JSON object per line."""
    found = [json.loads(line) for line in package.output_of(command).splitlines()]
    if not found:
        raise Failure("a program printed no results; run it alone to see why: " + " ".join(command))
    return found


def written(found, options, keys):
    """Writes these keys of the results to the file that --json names, and returns the results."""
    if options.json:
        write_whole(options.json, text([chosen(result, keys) for result in found]))
    return found


def chosen(result, keys):
    """The result with only these keys, in this order, as far as it has them."""
    return {key: result[key] for key in keys if key in result}
