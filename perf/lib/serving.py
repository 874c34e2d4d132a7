# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Runs the event server with its load, and makes tables of the results."""

import json
import signal
import statistics
import subprocess
import sys
from dataclasses import dataclass

import package
from command import Failure
from table import aligned

BROKERS = ("weir", "mutex", "opencombine", "async")


@dataclass(frozen=True)
class Shape:
    """A shape of load."""

    name: str
    title: str
    arguments: tuple[str, ...]
    # Without sockets.
    is_in_process: bool = False
    # How many times as long as the others a repetition takes. With a rate the server is idle most of the time, and
    # would use the processor for too short a time to tell brokers apart.
    length: int = 1


def load(subscribers, topics, publishers, *more):
    return ("--subscribers", str(subscribers), "--topics", str(topics), "--publishers", str(publishers), *more)


SHAPES = (
    Shape("burst/wide", "1,000 subscribers of one topic, as fast as they can receive", load(1000, 1, 2)),
    Shape("burst/many", "1,000 subscribers of 100 topics, as fast as they can receive", load(1000, 100, 4)),
    Shape(
        "rate/wide", "1,000 subscribers of one topic, 20 events a second", load(1000, 1, 2, "--rate", "20"), length=4
    ),
    Shape(
        "rate/many",
        "1,000 subscribers of 100 topics, 1,000 events a second",
        load(1000, 100, 4, "--rate", "1000"),
        length=4,
    ),
    Shape("broker/wide", "the broker alone: 1,000 subscribers of one topic", load(1000, 1, 2), True),
    Shape("broker/many", "the broker alone: 1,000 subscribers of 100 topics", load(1000, 100, 2), True),
)


def heed_sigint():
    """Called in the child process: a process that a shell starts in the background ignores SIGINT, and its descendants inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Server:
    """A running server, to be used in a `with` statement."""

    def __init__(self, program, broker):
        command = [program, "--port", "0", "--broker", broker]
        # In a session of its own, so Ctrl-C reaches only this script, which then ends the server.
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=heed_sigint)
        try:
            self.port = port_in(self.child.stdout.readline())
        except BaseException:
            self.child.kill()
            self.child.wait()
            raise

    def __enter__(self):
        return self

    def __exit__(self, kind, _value, _traceback):
        self.child.send_signal(signal.SIGINT)
        try:
            status = self.child.wait(timeout=10)
        except BaseException:
            self.child.kill()
            self.child.wait()
            if kind is None:
                raise Failure("the server did not stop within ten seconds of SIGINT") from None
            return
        finally:
            self.child.stdout.close()
        if kind is None and status:
            raise Failure(f"the server exited with {status}, see above")


def port_in(line):
    """The port in the first line of a server, which says where it listens."""
    words = line.split()
    if words[:2] != ["listening", "on"] or len(words) < 3:
        raise Failure(f"the server did not print 'listening on ADDRESS:PORT' first, but '{line.strip()}'; see above for its errors")
    return int(words[2].rstrip(",").rpartition(":")[2])


def measured(programs, shape, broker, milliseconds):
    """The result of one run of the load, with a server of its own."""
    server, load = programs
    command = [load, *shape.arguments, "--milliseconds", str(milliseconds * shape.length)]
    if shape.is_in_process:
        found = package.output_of(command + ["--in-process", broker])
    else:
        with Server(server, broker) as running:
            found = package.output_of(command + ["--port", str(running.port), "--server-pid", str(running.child.pid)])
    return {"scenario": shape.name, "broker": broker} | json.loads(found)


def each_measured(programs, shapes, brokers, repetitions, milliseconds):
    """The result of each run. The brokers take turns in each repetition, so that a slow phase of the machine affects them all."""
    for repetition in range(repetitions):
        for shape in shapes:
            print(f"repetition {repetition + 1}/{repetitions}: {shape.name}", file=sys.stderr, flush=True)
            for broker in brokers:
                yield measured(programs, shape, broker, milliseconds)


def figures(run):
    """The figures of one run that the tables show."""
    seconds = run["milliseconds"] / 1000
    found = {"rate": run["deliveries"] / seconds, "missing": run["missing"] - run["told_lost"], "told_lost": run["told_lost"]}
    if run["deliveries"] and "processor_seconds" in run:
        found["processor"] = run["processor_seconds"] / run["deliveries"] * 1e9
    if "peak_kilobytes" in run:
        found["memory"] = run["peak_kilobytes"] / 1024
    for name in ("p50", "p99", "p99_9", "max"):
        if f"latency_{name}_ns" in run:
            found[name] = run[f"latency_{name}_ns"] / 1000
    return found


def summary(runs):
    """The median of each figure over several runs, and the quartiles of the processor time; losses are added up."""
    each = [figures(run) for run in runs]
    names = [name for name in each[0] if all(name in found for found in each)]
    added = ("missing", "told_lost")
    found = {name: (sum if name in added else statistics.median)([found[name] for found in each]) for name in names}
    if "processor" in found and len(runs) > 1:
        lower, _, upper = statistics.quantiles([found["processor"] for found in each], method="inclusive")
        found["quartiles"] = (lower, upper)
    return found


COLUMNS = {
    "rate": ("deliveries/s", "{:,.0f}"),
    "processor": ("CPU ns each", "{:,.0f}"),
    "quartiles": ("quartiles", "{0[0]:,.0f} to {0[1]:,.0f}"),
    "p50": ("p50 µs", "{:,.0f}"),
    "p99": ("p99", "{:,.0f}"),
    "p99_9": ("p99.9", "{:,.0f}"),
    "max": ("max", "{:,.0f}"),
    "memory": ("peak MB", "{:.1f}"),
    "missing": ("lost", "{:,.0f}"),
    "told_lost": ("dropped", "{:,.0f}"),
}


def tables(runs, shapes=SHAPES):
    """A table for each shape that was measured, with a row for each broker."""
    parts = []
    for shape in shapes:
        found = {}
        for run in runs:
            if run["scenario"] == shape.name:
                found.setdefault(run["broker"], []).append(run)
        if found:
            rows = {broker: summary(some) for broker, some in found.items()}
            parts.append(f"## {shape.name}: {shape.title}\n\n{_rows(rows)}")
    return "\n\n".join(parts)


def _rows(found):
    columns = [name for name in COLUMNS if any(name in row for row in found.values())]
    lines = [["", *(COLUMNS[name][0] for name in columns)]]
    lines += [[broker, *(COLUMNS[name][1].format(row[name]) if name in row else "" for name in columns)] for broker, row in found.items()]
    return aligned(lines)


def problems(runs):
    """What must not happen in a run but did, one line each. OpenCombine's buffer does not keep the order if two threads send into it."""
    for run in runs:
        where = f"{run['scenario']}, {run['broker']}"
        silent = run["missing"] - run["told_lost"]
        if silent:
            yield f"{where}: {silent} of {run['received'] + run['missing']} deliveries were lost without a report"
        if run["strange"]:
            yield f"{where}: {run['strange']} unexpected lines arrived"
        if run["disordered"] and run["broker"] != "opencombine":
            yield f"{where}: {run['disordered']} events arrived before an earlier event of the same publisher"
