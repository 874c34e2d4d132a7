# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The command line and the run that the measuring scripts have in common."""

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
    add_json(parser)
    parser.add_argument(
        "--only", metavar="SUBSTRING", help="run only the scenarios whose name contains this; several with commas between"
    )
    return checked(parser.parse_args(arguments))


def add_json(parser):
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results there, as a JSON array")


def checked(options):
    """The same, unless --json names what cannot be written."""
    if options.json:
        writable_file(options.json)
    return options


def results(product, options):
    """Builds and runs `product`; writes its results where --json says, and returns them."""
    command = [package.build(product)] + (QUICK if options.quick else FULL)
    if options.only is not None:
        command += ["--only", options.only]
    return printed_by(command, options, KEYS)


def printed_by(command, options, keys):
    """The results that a program prints; writes those keys of them where --json says."""
    found = [json.loads(line) for line in package.output_of(command).splitlines()]
    if not found:
        raise Failure("no results were printed; run it by itself to see why: " + " ".join(command))
    if options.json:
        lines = ("  " + json.dumps({key: result[key] for key in keys}) for result in found)
        write_whole(options.json, "[\n" + ",\n".join(lines) + "\n]\n")
    return found
