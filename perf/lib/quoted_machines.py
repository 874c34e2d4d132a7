# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The tables in documents that compare two machines: that of the recorded run, and one whose atomic operations cost twice as much."""

from collections.abc import Iterator
from pathlib import Path

from command import Failure
from series import Figures
from table import nanoseconds

# Scenarios in which Weir takes longer than a mutex, or used to. A row is printed if it does so on one of the two machines.
LOSSES = {
    "subscribe-dispose/0": "subscribe to a subject, and dispose",
    "subscribe-flat-map-inner": "subscribe to a flatMap, and dispose",
    "subscribe-combine-latest/2": "the same, combineLatest of 2",
    "subscribe-with-latest/2": "the same, withLatest of 2",
    "subscribe-zip/2": "the same, zip of 2",
    "subscribe-merge/8": "the same, merge of 8",
    "subject-life": "a subject for one message: created, subscribed, sent to, completed, released",
    "emit/64": "send to 64 subscribers",
    "emit/1024": "send to 1,024 subscribers",
    "emit-many/20000": "send to 20,000 subjects in turn, whose memory is cold",
    "property-set-many/20000": "the same with properties that are set",
    "emit-2-threads/64": "2 threads send to 64 subscribers",
    "contended/1": "send to 4 subscribers, after a second thread has sent",
    "contended/1-churn": "one thread sends to 4 subscribers while another one subscribes and disposes",
    "contended/4-churn": "the same; 4 threads send",
    "send-time-p99/2": "the 99th percentile of a single send, while 2 threads send to 4 subscribers",
    "send-time-p99/4": "the same; 4 threads send",
    "replay-late/1024": "replay a history of 1,024 values, per value",
    "property-set/1": "set a property",
    "current-read-string": "read a string from a current value",
    "compound/10000": "a set of disposables: add one and remove it",
    "timer-arm/100000": "100,000 armed timers: cancel one and arm another",
}
# Of the scenarios with this prefix only the first is a row; the others are not checked.
COUNTED_AS_ONE = "subscribe-dispose/"
# A ratio up to ROUNDED is printed as 1.0. A scenario with a ratio above NOISE must be in LOSSES.
ROUNDED, NOISE = 1.05, 1.1
# The kinds of threads to which a value is sent after 50 µs without one.
RECEIVERS = {"weir": "a thread that sleeps", "weir-spinning": "a thread that spins"}


def losses(here: Figures, there: Figures) -> str:
    """The table of how many times as long as the best mutex Weir takes."""
    lines = [
        "| | where an atomic operation takes {} ns | where it takes {} |".format(*map(atomic, (here, there))),
        "|---|---|---|",
    ]
    unsaid = sorted(scenario for scenario in here.ns if scenario not in LOSSES and is_lost(scenario, here, there))
    if unsaid:
        raise Failure(f"Weir takes longer than the best mutex in {', '.join(unsaid)}; add it to LOSSES in perf/lib/{Path(__file__).name}")
    for scenario, label in LOSSES.items():
        # The other machine may have been measured before there was the scenario.
        ratios = [times(here, scenario), times(there, scenario) if scenario in there.ns else None]
        if any(ratio and ratio > ROUNDED for ratio in ratios):
            lines.append("| " + " | ".join([label, *(f"{ratio:.1f}" if ratio else "not measured" for ratio in ratios)]) + " |")
    return "\n".join(lines)


def silence(here: Figures, there: Figures) -> str:
    """The table of how many microseconds a value takes to a thread that has had nothing to do for 50 µs."""
    lines = [
        "| latency in µs, after 50 µs without a value | median | 99th percentile |"
        " median, where atomic operations cost more | 99th percentile |",
        "|---|---|---|---|---|",
    ]
    for form, label in RECEIVERS.items():
        lines.append("| " + " | ".join([f"to {label}", *waits(form, here), *waits(form, there)]) + " |")
    return "\n".join(lines)


def waits(form: str, figures: Figures) -> Iterator[str]:
    for part in ("p50", "p99"):
        ns = figure(figures, f"hop-latency-{part}/idle", form) / 1000
        yield f"{ns:,.0f}" if ns >= 1000 else nanoseconds(ns)


def is_lost(scenario: str, *machines: Figures) -> bool:
    if scenario.startswith(COUNTED_AS_ONE):
        return False
    both = [figures for figures in machines if "weir" in figures.ns.get(scenario, {}) and "mutex" in figures.summed_up(scenario)]
    return any(times(figures, scenario) > NOISE for figures in both)


def times(figures: Figures, scenario: str) -> float:
    found = figures.summed_up(scenario)
    return figure(figures, scenario, "weir") / found["mutex"] if "mutex" in found else missing(scenario, "mutex")


def figure(figures: Figures, scenario: str, implementation: str) -> float:
    found = figures.ns.get(scenario, {})
    return found[implementation] if implementation in found else missing(scenario, implementation)


def missing(scenario: str, implementation: str):
    raise Failure(
        f"results.json or run-costly-atomics.txt in perf/baselines has no result of {implementation} for {scenario}; if it is"
        " the former, run perf/run --report perf/baselines, else remove the row from perf/lib/quoted_machines.py"
    )


def atomic(figures: Figures) -> str:
    return nanoseconds(figure(figures, "atomic-rmw", "limit"))
