# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The command line of perf/run, the run itself, and what other measuring scripts share with both."""

import argparse
import json
from pathlib import Path

import machine
import package
import report
from command import Failure, Interrupted, writable_file, write_whole
from plotting import require
from results import checked_only, is_asked_for, text

# The keys of a result in the file; the tables may know more. Few results have the last one.
KEYS = ("scenario", "implementation", "ns_min", "ns_median", "ns_q1", "ns_q3", "ns_min_odd", "ns_min_even", "allocations", "bytes", "failed",
        "operations", "machine", "histogram")  # fmt: skip
FULL = ["--repetitions", "35", "--milliseconds", "25"]
QUICK = ["--repetitions", "7", "--milliseconds", "8"]


def parse(arguments, name, description, epilog):
    parser = argparse.ArgumentParser(prog=name, description=description, epilog=epilog)
    parser.add_argument("--quick", action="store_true", help="7 short repetitions instead of 35: a look, not a result")
    add_json(parser)
    parser.add_argument("--report", metavar="DIRECTORY", type=Path, help="also write them there with plots and a table, as perf/plot does")
    parser.add_argument(
        "--only", metavar="SUBSTRING", help="run only the scenarios whose name contains this; several with commas between"
    )
    options = checked(parser.parse_args(arguments))
    checked_only(options.only)
    if options.report:
        require()
        report.checked(options.report, "--report")
    return options


def add_json(parser):
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results there, as a JSON array")


def checked(options):
    """Returns the options, or fails if --json names a file that cannot be written."""
    if options.json:
        writable_file(options.json)
    return options


def measured(products, options, show):
    """Builds the programs and runs those that have a requested scenario, one after the other. Writes the results to where --json and --report
    say, and has them shown. If one program fails or is interrupted, the results of those before it are not lost."""
    wanted = [] if options.only is None else ["--only", options.only]
    programs = [package.build(product) for product in products]
    programs = [program for program in programs if _has_any(program, options.only)] or programs[:1]
    here = {"machine": machine.description_in_a_line()}
    found = []
    try:
        for program in programs:
            found += [result | here for result in printed_by([program] + (QUICK if options.quick else FULL) + wanted)]
            written(found, options, KEYS)
    except Interrupted as interrupted:
        interrupted.outcome = _kept(found, options, show) or interrupted.outcome
        raise
    except Failure as failure:
        kept = _kept(found, options, show)
        raise Failure(f"{failure}; {kept}" if kept else str(failure), failure.status) from None
    show(found)
    if options.report:
        report.written([chosen(result, KEYS) for result in found], options.report)


def _kept(found, options, show):
    """Shows the results so far, and returns what was done with them; None without results. Writes no report: it may be the one on record."""
    if not found:
        return None
    show(found)
    where = f" and written to {options.json}" if options.json else ""
    unmade = f"; {options.report} is as it was" if options.report else ""
    return f"what was measured before is printed{where}{unmade}"


def _has_any(program, only):
    """Whether the program has a scenario whose name contains one of the parts."""
    return any(is_asked_for(name, only) for name in package.output_of([program, "--list"]).splitlines())


def printed_by(command):
    """The results that a program prints."""
    found = [json.loads(line) for line in package.output_of(command).splitlines()]
    if not found:
        raise Failure("no results were printed; run it by itself to see why: " + " ".join(command))
    return found


def written(found, options, keys):
    """Writes those keys of the results to where --json says, and returns the results."""
    if options.json:
        write_whole(options.json, text([chosen(result, keys) for result in found]))
    return found


def chosen(result, keys):
    """The result with only those keys, in this order, as far as it has them."""
    return {key: result[key] for key in keys if key in result}
