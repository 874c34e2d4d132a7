# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The targets of Weir, and whether one run meets them."""

from typing import NamedTuple

from table import aligned, allocations, by_name, nanoseconds, statistic


class Missing(Exception):
    """A result that a target needs was not measured."""


class Line(NamedTuple):
    """A target, with the figure of Weir and its bound as they are printed."""

    name: str
    weir: str
    bound: str
    verdict: str


PASS, MISS = "pass", "miss"


def rendered(results, memory=()):
    lines = checked(results, memory)
    if not lines:
        return "no target can be checked with the scenarios of this run"
    misses = sum(line.verdict == MISS for line in lines)
    summary = f"{misses} of {len(lines)} targets missed"
    return "\n\n".join([aligned([("target", *Line._fields[1:]), *lines]), summary] + _elsewhere(by_name(results)))


def checked(results, memory=()) -> list[Line]:
    """The targets for which there are results."""
    index = by_name(results)

    def ns(scenario, implementation="weir"):
        result = index.get((scenario, implementation))
        if result is None:
            raise Missing
        return result[statistic(scenario)]

    lines = []
    for name, compute in (*_times(ns), *_hop_times(ns)):
        try:
            value, bound = compute()
        except Missing:
            continue
        lines.append(Line(name, nanoseconds(value), nanoseconds(bound), PASS if value <= bound else MISS))
    for result in results:
        bound = _most_allocations(result["scenario"])
        if result["implementation"] == "weir" and bound is not None:
            count = result["allocations"]
            verdict = "not counted" if count is None else PASS if count < bound + 0.001 else MISS
            name = f"{result['scenario']} allocates " + (f"at most {bound}" if bound else "nothing")
            lines.append(Line(name, allocations(count), str(bound), verdict))
    return lines + _heap(memory)


# Scenarios that must not allocate: the parts of their names before the slash.
ALLOCATE_NOTHING = {
    "emit", "emit-unserialized", "emit-2-threads", "contended", "share", "hot-chain", "hot-maps", "hot-chain-plain",
    "hot-maps-plain", "scan-distinct-take",
    "cold-chain", "cold-maps", "merge", "merge-2-threads", "combine-latest", "zip", "with-latest", "flat-map-just",
    "concat-map-just", "switch-just", "replay-emit", "current-set", "property-set", "current-read", "property-read",
    "current-read-string", "property-read-string", "current-read-2-threads", "property-read-2-threads",
}  # fmt: skip


def _most_allocations(scenario):
    """How often one operation may allocate; None if there is no target."""
    return 0 if scenario.partition("/")[0] in ALLOCATE_NOTHING else None


# How much longer than emit/1 each of these may take, as a multiple of a limit.
BEYOND_EMIT = {
    "emit/8": (1.3, "object-loop/8"),
    "emit/64": (1.3, "object-loop/64"),
    "emit/1024": (1.3, "object-loop/1024"),
    "hot-chain/3": (1.3, "calls/4"),
    "hot-maps/10": (1.3, "composed-maps/10"),
    "hot-chain-plain/3": (1.3, "calls/4"),
    "hot-maps-plain/10": (1.3, "composed-maps/10"),
    "scan-distinct-take": (1.5, "hand-scan-distinct-take"),
    "merge/8": (2, "cas-call"),
    "combine-latest/2": (2, "cas-2-calls"),
    "combine-latest/4": (2, "cas-2-calls"),
    "zip/2": (2, "cas-2-calls"),
    "with-latest/2": (2, "cas-2-calls"),
}
# How long each of these may take, as a multiple of a limit.
MULTIPLES = {
    "emit-unserialized/1": (2, "closure-call"),
    "cold-chain/3": (1.1, "hand-loop/3"),
    "cold-chain/10": (1.1, "hand-loop/10"),
    "cold-maps/10": (1.1, "hand-maps/10"),
    "subscribe-dispose/0": (2.5, "allocate-2-cas"),
    "replay-late/1024": (2, "object-call"),
    "current-read": (2, "atomic-load"),
    "property-read": (2, "atomic-load"),
    "dispose-action": (1.3, "allocate-rmw"),
    "compound/10000": (2, "allocate-2-cas"),
    "serial-replace": (1.5, "allocate-action"),
}
# How long each of these may take, as a multiple of emit/1.
TIMES_EMIT = {
    "replay-emit/1": 1.4,
    "replay-emit/16": 1.4,
    "replay-emit/1024": 1.4,
    "current-set/1": 1.4,
    "property-set/1": 1.4,
}
# How many nanoseconds each of these may take.
NANOSECONDS = {
    "current-read-string": 15,
    "property-read-string": 15,
    "score": 300,
    "timer-arm/100000": 3000,
}
# These must not take longer than the mutexes.
CONTENDED = [
    *(f"emit-2-threads/{subscribers}" for subscribers in (1, 8, 64)),
    *(f"contended/{senders}{churn}" for senders in (1, 2, 4) for churn in ("", "-churn")),
]


def _times(ns):
    """Pairs of a name and a function that returns the figure of Weir and its bound."""
    yield (
        "emit/1 <= 1.2 x (object-call + 2 x atomic-rmw)",
        lambda: (ns("emit/1"), 1.2 * (ns("object-call", "limit") + 2 * ns("atomic-rmw", "limit"))),
    )
    yield "emit/1 <= mutex-copy / 3", lambda: (ns("emit/1"), ns("emit/1", "mutex-copy") / 3)
    for name, (times, limit) in BEYOND_EMIT.items():
        yield (
            f"{name} <= emit/1 + {times} x {limit}",
            lambda name=name, times=times, limit=limit: (ns(name), ns("emit/1") + times * ns(limit, "limit")),
        )
    for name, (times, limit) in MULTIPLES.items():
        yield (
            f"{name} <= {times} x {limit}",
            lambda name=name, times=times, limit=limit: (ns(name), times * ns(limit, "limit")),
        )
    for name, times in TIMES_EMIT.items():
        yield f"{name} <= {times} x emit/1", lambda name=name, times=times: (ns(name), times * ns("emit/1"))
    for name, bound in NANOSECONDS.items():
        yield f"{name} <= {bound} ns", lambda name=name, bound=bound: (ns(name), bound)
    yield (
        "subscribe-dispose/10000 <= 2 x subscribe-dispose/0",
        lambda: (ns("subscribe-dispose/10000"), 2 * ns("subscribe-dispose/0")),
    )
    for name in CONTENDED:
        for form in ("mutex-copy", "mutex-inside"):
            yield f"{name} <= {form}", lambda name=name, form=form: (ns(name), ns(name, form))


PEERS = ("dispatch", "opencombine", "async-stream", "async-channel")


def _hop_times(ns):
    """As `_times`, for changing threads."""
    for form in ("weir", "weir-thread"):
        yield (
            f"hop/subject, {form} <= the best peer / 10",
            lambda form=form: (ns("hop/subject", form), min(ns("hop/subject", peer) for peer in PEERS) / 10),
        )
        yield (
            f"hop/subject, {form} <= 3 x limit",
            lambda form=form: (ns("hop/subject", form), 3 * ns("hop/subject", "limit")),
        )
    for percentile in ("hop-latency-p50", "hop-latency-p99"):
        busy, idle = f"{percentile}/back-to-back", f"{percentile}/idle"
        # The limit spins as well. A receiver that sleeps is compared with a condition variable, which costs the same two system calls.
        yield f"{busy}, weir-spinning <= 1.5 x limit", lambda busy=busy: (ns(busy, "weir-spinning"), 1.5 * ns(busy, "limit"))
        yield f"{idle} <= 1.1 x limit-condition", lambda idle=idle: (ns(idle), 1.1 * ns(idle, "limit-condition"))
    yield "hop/range <= 3 x limit", lambda: (ns("hop/range", "weir-thread"), 3 * ns("hop/subject", "limit"))


# How many bytes and blocks a piece may take in the heap.
HEAP = {
    ("subscriber", "subject"): (96, None),
    ("chain", "map/10"): (700, 2),
    ("chain", "plain-map/10"): (700, 2),
}


def _heap(memory):
    """The rows of the table on heap memory."""
    lines = []
    for result in memory:
        bounds = HEAP.get((result["piece"], result["source"]))
        if result["implementation"] != "weir" or bounds is None:
            continue
        for what, bound in zip(("bytes", "blocks"), bounds):
            if bound is not None:
                name = f"{result['piece']} of {result['source']} takes at most {bound} {what}"
                # Bytes are averages: glibc adds a varying amount to the requested size.
                verdict = PASS if result[what] <= bound + 0.001 else MISS
                lines.append(Line(name, f"{result[what]:.1f}", str(bound), verdict))
    return lines


# What RxJava took on another machine, in ns, for comparison only: with one lambda at each call site of the process, and with many.
RXJAVA = {
    "flat-map-just": "13 to 23",
    "concat-map-just": "73 to 83",
    "switch-just": "49 to 59",
    "contended/1": "27 to 50",
    "contended/2": "10 to 73",
    "contended/4": "16 to 96",
}


def _elsewhere(index):
    """A paragraph with the figures of RxJava for the scenarios of this run; none if there are no such scenarios."""
    lines = [
        f"{name}: Weir {nanoseconds(index[name, 'weir'][statistic(name)])} ns, RxJava {figures} ns"
        for name, figures in RXJAVA.items()
        if (name, "weir") in index
    ]
    return ["For comparison, RxJava on another machine (not a target):\n" + "\n".join(lines)] if lines else []
