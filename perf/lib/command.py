# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""What all scripts share: exit codes, interruption, options that are numbers, and writing files atomically."""

import os
import signal
import sys


def _stopped_early(number, _frame):
    """Ends a script that has not got as far as `main`: nothing has begun, and an exception would be a traceback."""
    os.write(2, f"{name()}: stopped by {signal.Signals(number).name}, nothing written\n".encode())
    os._exit(128 + number)


def name():
    return "perf/" + os.path.basename(sys.argv[0])


# Only in scripts, not in their tests, which import this as well.
if os.path.dirname(os.path.realpath(sys.argv[0])) == os.path.dirname(os.path.dirname(os.path.realpath(__file__))):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stopped_early)

import argparse
import contextlib
import errno
import shutil
import stat
import tempfile

USAGE = 64
FAILURE = 1
UNAVAILABLE = 69
INPUT_OUTPUT = 74


class Failure(Exception):
    """A message for the user, and the exit code."""

    def __init__(self, message, status=FAILURE):
        super().__init__(message)
        self.status = status


class Interrupted(Exception):
    """A signal asked the command to stop."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number
        # What happened to the results, for the message.
        self.outcome = "nothing written"


def main(run):
    """Runs a command and exits with its code."""

    # Set explicitly: a shell starts background jobs with interrupts ignored, and Python would keep ignoring them.
    def interrupted(number, _frame):
        raise Interrupted(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    if sys.stdout is None:
        if sys.stderr is not None:
            print(f"{name()}: standard output: is closed; leave it open, or write to a file or /dev/null", file=sys.stderr)
        sys.exit(INPUT_OUTPUT)
    try:
        status = run(sys.argv[1:]) or 0
        # Flushed here, not when the interpreter ends, so that a write error is reported as below.
        sys.stdout.flush()
        sys.exit(status)
    except Failure as failure:
        print(f"{name()}: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except Interrupted as interrupted:
        print(f"{name()}: stopped by {signal.Signals(interrupted.number).name}, {interrupted.outcome}", file=sys.stderr)
        sys.exit(128 + interrupted.number)
    except BrokenPipeError:
        # The reader of the output, such as `head`, has stopped reading. Nothing more must be written, not even by the interpreter.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)
    except OSError as error:
        # What fails on a file names it, see `write_whole`.
        remedy = "; make room there" if error.errno == errno.ENOSPC else ""
        print(f"{name()}: {error.filename or 'standard output'}: {error.strerror or error}{remedy}", file=sys.stderr)
        # Otherwise the interpreter would try to write the rest when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(INPUT_OUTPUT)
    except SystemExit as exit:
        # argparse exits with 2 for bad usage.
        sys.exit(USAGE if exit.code == 2 else exit.code)


def needs(tool, remedy=None):
    """Fails if there is no program of this name, with a message that says how to install it."""
    if shutil.which(tool) is None:
        remedy = remedy or REMEDIES[tool]
        raise Failure(f"needs {tool}, which is not installed: {remedy}, or add its directory to PATH", UNAVAILABLE)


# For programs that several scripts need.
REMEDIES = {"swift": "install Swift 6.3 (swift.org/install)"}


def number(text, kind, is_valid, description):
    """The value of an option that is a number, for argparse. `description` says which numbers are valid."""
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not is_valid(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not {description}")
    return value


def from_one_on(text):
    """A count, for argparse."""
    return number(text, int, lambda value: value >= 1, "a whole number from 1 on")


def writable_file(path):
    """Fails at once, and not after minutes of measuring, if `path` cannot be written."""
    if str(path) == "-":
        raise Failure("--json -: standard output has the figures as a text for people; name a file", USAGE)
    replaceable(path, f"--json {path}")
    directory = path.resolve().parent
    if not directory.is_dir():
        raise Failure(f"--json {path}: the directory {directory} does not exist; create it first", USAGE)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise Failure(f"--json {path}: no permission to write in {directory}; name a file in another directory", USAGE)


def writable_directory(path, option):
    """The same for a directory. Neither it nor its parents need to exist yet."""
    found = next(place for place in (path.absolute(), *path.absolute().parents) if os.path.lexists(place))
    if not found.is_dir():
        raise Failure(f"{option} {path}: {found} is not a directory; name a directory", USAGE)
    if not os.access(found, os.W_OK | os.X_OK):
        raise Failure(f"{option} {path}: no permission to write in {found}; name another directory", USAGE)


def replaceable(path, what):
    """Fails if `path` exists and must not be replaced by a new file: a device or a pipe, which would not be written to, and the file that the
    output goes to, whose content would be lost, also with /dev/stdout."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    except PermissionError:
        raise Failure(f"{what}: no permission to look into {path.parent}; name a file in another directory", USAGE) from None
    except OSError as error:
        raise Failure(f"{what}: {error.strerror}; name another file", USAGE) from None
    if stat.S_ISDIR(mode):
        raise Failure(f"{what}: is a directory; name a file", USAGE)
    if not stat.S_ISREG(mode):
        kinds = "a device, a pipe or a socket, which a file would replace"
        raise Failure(f"{what}: is {kinds}; name a regular file", USAGE)
    if any(_goes_to(path, descriptor) for descriptor in (1, 2)):
        reason = "the output already goes to that file, which would be replaced"
        raise Failure(f"{what}: {reason}; name another file", USAGE)


def _goes_to(path, descriptor):
    with contextlib.suppress(OSError):
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    # The descriptor is closed.
    return False


def write_whole(path, text):
    """Writes a file atomically: either in full or not at all."""
    replaceable(path, path)
    path = path.resolve()
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException as error:
        if temporary:
            os.unlink(temporary)
        if isinstance(error, OSError):
            # If writing fails, the system does not say where.
            error.filename, error.filename2 = str(path), None
        raise
