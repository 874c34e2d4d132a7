# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Builds and runs executables of the Benchmarks package and of the library's own package."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from command import UNAVAILABLE, Failure, needs

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Benchmarks"


def build(product, *flags, package=PACKAGE):
    """Builds `product` in release and returns the path of the executable.

    If WEIR_SCRATCH_PATH is set, build products go to the directory `benchmarks` or `weir` there, instead of the .build of the package.
    """
    needs("swift")
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


def output_of(command, told=None):
    """The standard output of a command; fails if the command does. `told` is what the message calls it, if several
    commands run at the same time: then what one prints on standard error is in its message, and not mixed with what
    others do."""
    return run(command, subprocess.PIPE, told)


def lines_of(command):
    """The lines that a command prints, each as soon as it is printed."""
    with _started(command, subprocess.PIPE) as child:
        for line in child.stdout:
            # A line without its end was cut off when the command died, which its exit code reports.
            if line.endswith("\n"):
                yield line
        child.wait()
    _check(command, child)


def run(command, stdout, told=None):
    with _started(command, stdout, subprocess.PIPE if told else None) as child:
        output, said = child.communicate()
    _check(command, child, told, said)
    return output


def stop_all():
    """Ends the commands that other threads run. These then fail."""
    for child in list(_running):
        _stop(child)


# The children whose commands have not ended.
_running = set()


@contextlib.contextmanager
def _started(command, stdout, stderr=None):
    """A child process, which is ended if what is done in the `with` statement fails or is interrupted."""
    try:
        # A session of its own, so that a signal to its process group also reaches the processes that the command starts.
        child = subprocess.Popen(command, stdout=stdout, stderr=stderr, text=True, start_new_session=True)
    except FileNotFoundError:
        raise Failure(f"cannot find '{command[0]}'; install it or add its directory to PATH", UNAVAILABLE) from None
    _running.add(child)
    try:
        yield child
    except BaseException:
        _stop(child)
        raise
    finally:
        _running.discard(child)


def _check(command, child, told=None, said=None):
    if child.returncode:
        # Otherwise the command has said on standard error what is wrong. Usage errors stay usage errors.
        reason = f":\n{said.strip()}" if said else ", see above"
        name = told or Path(command[0]).name
        raise Failure(f"{name} exited with {child.returncode}{reason}", max(child.returncode, 1))


def _stop(child):
    # An interrupt first: at SIGTERM, SwiftPM ends without its compilers, which have process groups of their own and run on.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.wait(timeout=5)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            child.wait()
            return
