# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Builds and runs executables of the Benchmarks package and of the library's own package."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from command import Failure

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Benchmarks"


def build(product, *flags, package=PACKAGE):
    """Builds `product` in release and returns the path of the executable.

    If WEIR_SCRATCH_PATH is set, build products go to the directory `benchmarks` or `weir` there, instead of the .build of the package.
    """
    elsewhere = os.environ.get("WEIR_SCRATCH_PATH")
    scratch = Path(elsewhere) / ("benchmarks" if package == PACKAGE else "weir") if elsewhere else package / ".build"
    command = ["swift", "build", "-c", "release", "--package-path", str(package), "--scratch-path", str(scratch), *flags]
    # SwiftPM does not notice added or renamed files in a package that is a dependency by path. Without its build plan it
    # looks for all files again, and still recompiles only what has changed.
    (scratch / "release.yaml").unlink(missing_ok=True)
    print(f"building {product}", file=sys.stderr, flush=True)
    # The compiler's own output is progress: it belongs to standard error.
    run(command + ["--product", product], stdout=sys.stderr)
    return str(Path(output_of(command + ["--show-bin-path"]).strip()) / product)


def output_of(command):
    """The standard output of a command; fails if the command does."""
    return run(command, stdout=subprocess.PIPE)


def lines_of(command):
    """The lines that a command prints, each as soon as it is printed."""
    child = _start(command, subprocess.PIPE)
    try:
        for line in child.stdout:
            # A line without its end was cut off when the command died, which its exit code reports.
            if line.endswith("\n"):
                yield line
        child.wait()
    except BaseException:
        _stop(child)
        raise
    _check(command, child)


def run(command, stdout):
    child = _start(command, stdout)
    try:
        output, _ = child.communicate()
    except BaseException:
        _stop(child)
        raise
    _check(command, child)
    return output


def _start(command, stdout):
    try:
        # A session of its own, so that a signal to its process group also reaches the processes that the command starts.
        return subprocess.Popen(command, stdout=stdout, text=True, start_new_session=True)
    except FileNotFoundError:
        raise Failure(f"cannot find '{command[0]}'; install it or add its directory to PATH") from None


def _check(command, child):
    if child.returncode:
        # The command has said on standard error what is wrong; usage errors stay usage errors.
        raise Failure(f"{Path(command[0]).name} exited with {child.returncode}, see above", max(child.returncode, 1))


def _stop(child):
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.wait(timeout=5)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            child.wait()
            return
