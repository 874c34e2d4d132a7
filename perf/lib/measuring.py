# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The command line and the run that perf/run and perf/shapes have in common."""

import argparse
import json
from pathlib import Path

import package
from command import Failure, writable_file, write_whole

# What a result is made of for whoever reads the file; the tables may know more.
KEYS = ("scenario", "implementation", "ns_min", "ns_median", "allocations")
FULL = ["--repetitions", "35", "--milliseconds", "25"]
QUICK = ["--repetitions", "5", "--milliseconds", "10"]


def parse(arguments, name, description, epilog):
    parser = argparse.ArgumentParser(prog=name, description=description, epilog=epilog)
    parser.add_argument("--quick", action="store_true", help="5 short repetitions instead of 35: a look, not a result")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results there, as a JSON array")
    parser.add_argument(
        "--only", metavar="SUBSTRING", help="run only the scenarios whose name contains this; several with commas between"
    )
    options = parser.parse_args(arguments)
    if options.json:
        writable_file(options.json)
    return options


def results(product, options):
    """Builds and runs `product`; writes its results where --json says, and returns them."""
    command = [package.build(product)] + (QUICK if options.quick else FULL)
    if options.only is not None:
        command += ["--only", options.only]
    found = [json.loads(line) for line in package.output_of(command).splitlines()]
    if not found:
        raise Failure(f"{product} printed no results; run it by itself to see why: " + " ".join(command))
    if options.json:
        lines = ("  " + json.dumps({key: result[key] for key in KEYS}) for result in found)
        write_whole(options.json, "[\n" + ",\n".join(lines) + "\n]\n")
    return found
