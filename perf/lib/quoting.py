# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The tables that documents quote from the recorded results, so that no figure is copied by hand."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import baseline
import printed
import quoted_counts
import quoted_machines
import quoted_memory
import results as files
import targets
from command import Failure
from quoted_machines import figure
from series import Figures
from table import ASYNCHRONOUS, MUTEXES, nanoseconds

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "perf" / "baselines"
ARTICLES = ROOT / "Sources" / "Weir" / "Weir.docc"
DOCUMENTS = (ROOT / "README.md", ROOT / "perf" / "README.md", ARTICLES / "Costs.md", ARTICLES / "ThreadsAndTime.md")

# A median that is so many times the fastest repetition is printed beside it.
DISTANT = 1.15

MARKED = re.compile(r"(<!-- perf/quote (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


class Row(NamedTuple):
    label: str
    scenario: str
    weir: str = "weir"
    mutex: tuple[str, ...] = MUTEXES


def hop(label: str, scenario: str, weir: str = "weir") -> Row:
    """A row for changing threads, in which the mutex is one with a condition variable."""
    return Row(label, scenario, weir, ("limit-condition",))


# For readers who read only one table.
SUMMARY = [
    Row("send to 1 subscriber", "emit/1"),
    Row("send to 4, after a second thread has sent", "contended/1"),
    Row("send to 1,024 subscribers", "emit/1024"),
    Row("2 threads send to 4 subscribers", "contended/2"),
    Row("a single one of these sends, 99th percentile", "send-time-p99/2"),
    Row("map, filter, map on a subject", "hot-chain-plain/3"),
    Row("the same; each closure captures a number that is known only at run time", "hot-chain/3"),
    Row("the same on a range", "cold-chain/3"),
    Row("merge of 8", "merge/8"),
    Row("subscribe and dispose", "subscribe-dispose/0"),
    hop("to another thread, a value of a stream", "hop/subject"),
    hop("latency of one value to a thread, median", "hop-latency-p50/back-to-back"),
    hop("the same, 99th percentile", "hop-latency-p99/back-to-back"),
]
# All scenarios that a reader might ask about.
ROWS = [
    Row("send to 1 subscriber, from one thread", "emit/1"),
    Row("the same with `UnserializedSubject`, which is for one thread only", "emit-unserialized/1"),
    Row("to 8", "emit/8"),
    Row("to 64", "emit/64"),
    Row("to 1,024", "emit/1024"),
    Row("to 20,000 subjects in turn, with one subscriber each", "emit-many/20000"),
    Row("to 4, after a second thread has sent", "contended/1"),
    Row("2 threads send to 4 subscribers", "contended/2"),
    Row("the same, as if both had sent as few as the one that has sent fewer", "contended-slowest/2"),
    Row("a single one of these sends, median", "send-time-p50/2"),
    Row("the same, 99th percentile", "send-time-p99/2"),
    Row("4 threads send to 4 subscribers", "contended/4"),
    Row("the same, as if each had sent as few as the one that has sent fewest", "contended-slowest/4"),
    Row("4 threads, while a fifth subscribes and disposes", "contended/4-churn"),
    Row("2 threads send to 64 subscribers", "emit-2-threads/64"),
    Row("map, filter, map on a subject", "hot-chain-plain/3"),
    Row("the same; each closure captures a number that is known only at run time", "hot-chain/3"),
    Row("ten maps on a subject", "hot-maps-plain/10"),
    Row("the same; each closure captures a number", "hot-maps/10"),
    Row("map, filter, map on a range", "cold-chain/3"),
    Row("scan, distinctUntilChanged, take", "scan-distinct-take"),
    Row("merge of 8", "merge/8"),
    Row("zip of 2", "zip/2"),
    Row("combineLatest of 2", "combine-latest/2"),
    Row("withLatest", "with-latest/2"),
    Row("flatMap to one value", "flat-map-just"),
    Row("flatMap to a signal with an operator", "flat-map-inner"),
    Row("subscribe and dispose", "subscribe-dispose/0"),
    Row("the same, with 10,000 other subscribers", "subscribe-dispose/10000"),
    Row("subscribe and dispose a flatMap", "subscribe-flat-map-inner"),
    Row("the same with a zip of 2", "subscribe-zip/2"),
    Row("the same with a merge of 8", "subscribe-merge/8"),
    Row("a subject for one message: created, subscribed, sent to, completed, released", "subject-life"),
    Row("send to a subject that retains the last 16 values", "replay-emit/16"),
    Row("replay one value of a history to a new subscriber", "replay-late/1024"),
    Row("set a current value", "current-set/1"),
    Row("set a property", "property-set/1"),
    Row("set 20,000 properties in turn", "property-set-many/20000"),
    Row("read a number from a property", "property-read"),
    Row("read a string from a current value", "current-read-string"),
    Row("read a string from a property", "property-read-string"),
    Row("a set of disposables: add one and remove it", "compound/10000"),
    Row("a slot for a disposable: replace its content", "serial-replace"),
    Row("execute a command", "command-execute"),
    hop("to another thread, a value of a stream", "hop/subject"),
    hop("to a task, one by one", "hop/subject", "weir-values"),
    hop("to a task, in arrays", "hop/subject", "weir-chunks"),
    hop("latency of one value to a thread, median", "hop-latency-p50/back-to-back"),
    hop("the same, 99th percentile", "hop-latency-p99/back-to-back"),
    hop("latency after 50 µs without a value, median", "hop-latency-p50/idle"),
    hop("the same, 99th percentile", "hop-latency-p99/idle"),
    hop("the same to a thread that spins (`IdlePolicy.spinning`), median", "hop-latency-p50/idle", "weir-spinning"),
    hop("the same, 99th percentile", "hop-latency-p99/idle", "weir-spinning"),
    Row("score of a word (two flatMaps, a reduce)", "score"),
]


def quoted(document: str, text: str) -> str:
    """The text, with the tables between its marks replaced by those of the recorded results."""
    recorded, memory = files.read(RECORD / "results.json"), files.array(RECORD / "memory.json")
    figures = Figures(recorded)
    costly = Figures(printed.results((RECORD / "run-costly-atomics.txt").read_text()))
    parts = {
        "summary": lambda: table(SUMMARY, figures),
        "rows": lambda: table(ROWS, figures),
        "machine": lambda: machine(figures),
        "missed": lambda: missed(targets.checked(recorded, memory)),
        "memory": lambda: quoted_memory.table(quoted_memory.pieces(memory)),
        "losses": lambda: quoted_machines.losses(figures, costly),
        "silence": lambda: quoted_machines.silence(figures, costly),
        "counts": lambda: quoted_counts.table(baseline.read(RECORD / "instructions.json").probes),
    }

    def anew(found: re.Match[str]) -> str:
        if found[2] not in parts:
            raise Failure(f"{document}: 'perf/quote {found[2]}': there is no such table; the tables are: {', '.join(parts)}")
        return f"{found[1]}{parts[found[2]]()}\n{found[4]}"

    if text.count("<!-- perf/quote ") != len(MARKED.findall(text)):
        raise Failure(f"{document}: a mark '<!-- perf/quote NAME -->' has no '<!-- end -->' after it; add it")
    return MARKED.sub(anew, text)


def table(rows: list[Row], figures: Figures) -> str:
    lines = ["| | Weir | mutex | OpenCombine | async | limit |", "|---|---|---|---|---|---|"]
    return "\n".join(lines + ["| " + " | ".join((row.label, *cells(row, figures))) + " |" for row in rows])


def cells(row: Row, figures: Figures) -> Iterator[str]:
    """The figures of a row. The fastest of several is bold, and so is any within 3 % of it, since two runs differ by more."""
    found = figures.row(row.scenario)
    if row.weir not in found:
        raise Failure(f"perf/baselines/results.json has no result of {row.weir} for {row.scenario}; run perf/run --report perf/baselines")
    kept = {name: ns for name, ns in found.items() if not figures.lost.get((row.scenario, name))}
    best = [fastest(kept, names) for names in ((row.weir,), row.mutex, ("opencombine",), ASYNCHRONOUS)]
    measured = [kept[name] for name in best if name is not None]
    for name in (*best, "limit" if "limit" in found else None):
        text = "" if name is None else with_separator(found[name])
        if name in best and len(measured) > 1 and name is not None and found[name] <= 1.03 * min(measured):
            text = f"**{text}**"
        yield text if name is None else text + distant_median(row.scenario, name, figures)


def fastest(found: dict[str, float], names) -> str | None:
    return min((name for name in names if name in found), key=found.__getitem__, default=None)


def distant_median(scenario: str, name: str, figures: Figures) -> str:
    """What is added to the fastest repetition if most took far longer: then it says little of what to expect."""
    median = figures.median_of(scenario, name)
    return f" (median {with_separator(median)})" if median and median > DISTANT * figures.row(scenario)[name] else ""


def with_separator(ns: float) -> str:
    return f"{ns:,.0f}" if ns >= 1000 else nanoseconds(ns)


def machine(figures: Figures) -> str:
    """A sentence on how fast the machine of the run is."""
    measured = ("atomic-rmw", "retain-release", "line-transfer-2-threads")
    atomic, counted, transfer = (nanoseconds(figure(figures, name, "limit")) for name in measured)
    return textwrap.fill(
        f"On the machine of this run an uncontended atomic operation takes {atomic} ns, a retain and release {counted}, and an atomic"
        f" operation on a cache line that the other processor has just changed {transfer}.",
        width=120,
    )


def missed(lines: list[targets.Line]) -> str:
    """A table of the targets that a run has missed."""
    rows = [line for line in lines if line.verdict == targets.MISS]
    table = [f"| {len(rows)} of {len(lines)} targets are missed | Weir | bound |", "|---|---|---|"]
    return "\n".join(table + [f"| {line.name} | {line.weir} | {line.bound} |" for line in rows])
