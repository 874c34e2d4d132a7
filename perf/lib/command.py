# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""What the scripts share as commands: exit codes, interruption, and writing files atomically."""

import argparse
import os
import signal
import sys
import tempfile

USAGE = 64
FAILURE = 1
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
        # What has happened to the results, for the message.
        self.outcome = "nothing written"


def main(run):
    """Runs a command and exits with its code."""

    # Set explicitly: a shell starts background jobs with interrupts ignored, and Python would go on ignoring them.
    def interrupted(number, _frame):
        raise Interrupted(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    name = "perf/" + os.path.basename(sys.argv[0])
    try:
        status = run(sys.argv[1:]) or 0
        # Here, and not when the interpreter ends, so that a failure to write is reported as below.
        sys.stdout.flush()
        sys.exit(status)
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except Interrupted as interrupted:
        print(f"{name}: stopped by {signal.Signals(interrupted.number).name}, {interrupted.outcome}", file=sys.stderr)
        sys.exit(128 + interrupted.number)
    except BrokenPipeError:
        # The reader of the output, such as `head`, has seen enough. Nothing more is to be written, not even by the interpreter.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{name}: {where}{error.strerror or error}", file=sys.stderr)
        # The interpreter must not try again to write the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(INPUT_OUTPUT)
    except SystemExit as exit:
        # argparse exits with 2 for bad usage.
        sys.exit(USAGE if exit.code == 2 else exit.code)


def from_one_on(text):
    """A count, for argparse."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: a number from 1 on")
    return value


def writable_file(path):
    """Fails now rather than after minutes of measuring if `path` cannot be written."""
    directory = path.resolve().parent
    replaceable(path, f"--json {path}")
    if not directory.is_dir():
        raise Failure(f"--json {path}: there is no directory {directory}; create it first", USAGE)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise Failure(f"--json {path}: may not write in {directory}; choose another place", USAGE)


def writable_directory(path, option):
    """The same for a directory, which need not exist yet, nor its parents."""
    found = next(place for place in (path.absolute(), *path.absolute().parents) if os.path.lexists(place))
    if not found.is_dir():
        raise Failure(f"{option} {path}: {found} is no directory; name a directory", USAGE)
    if not os.access(found, os.W_OK | os.X_OK):
        raise Failure(f"{option} {path}: may not write in {found}; choose another place", USAGE)


def replaceable(path, name):
    """Fails if `path` exists and is not a file. A device or a pipe would not be written to, but replaced by the new file."""
    if path.is_dir():
        raise Failure(f"{name}: is a directory; name a file", USAGE)
    if path.exists() and not path.is_file():
        raise Failure(f"{name}: is a device, a pipe or a socket, which a file would replace; name a file", USAGE)


def write_whole(path, text):
    """Writes a file atomically: either in full or not at all."""
    replaceable(path, path)
    path = path.resolve()
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
