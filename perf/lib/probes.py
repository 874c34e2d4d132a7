# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The probes of perf/instructions, and counting them."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Iterable, NamedTuple

import callgrind

COUNTS = (2_000, 6_000)


class Probe(NamedTuple):
    # The name on the command line of WeirProbe.
    name: str
    # The function that is watched.
    function: str
    # What one event is.
    meaning: str


PROBES = [
    Probe("emit", "probeEmit", "send to 1 subscriber"),
    Probe("emit-8", "probeEmit", "send to 8 subscribers"),
    Probe("emit-64", "probeEmit", "send to 64 subscribers"),
    Probe("hot-chain", "probeEmit", "value through map, filter, map"),
    Probe("hot-chain-keeping", "probeEmit", "the same, the closures keep a number each"),
    Probe("hot-maps", "probeEmit", "value through ten maps"),
    Probe("hot-kinds", "probeEmit", "value through one of each kind of operator, 15"),
    Probe("scan-distinct-take", "probeEmit", "value through scan, distinct and take"),
    Probe("merge", "probeInTurn", "value through a merge of 2"),
    Probe("combine-latest", "probeInTurn", "value into a combine-latest of 2"),
    Probe("combine-latest-4", "probeInTurn", "value into a combine-latest of 4, three for every second"),
    Probe("zip", "probeInTurn", "value into a zip of 2, a pair for every second"),
    Probe("with-latest", "probeEmit", "value paired with the latest of another"),
    Probe("take-until", "probeEmit", "value before the trigger fires"),
    Probe("race", "probeEmit", "value of the one that has won a race of 2"),
    Probe("and", "probeInTurn", "value into an and of 2"),
    Probe("flat-map-just", "probeEmit", "value turned into a signal of one value"),
    Probe("flat-map-inner", "probeEmit", "the same, the inner signal has an operator"),
    Probe("concat-map-just", "probeEmit", "flat-map-just, one after the other"),
    Probe("ordered-just", "probeEmit", "flat-map-just, in the order of the source"),
    Probe("switch-just", "probeEmit", "flat-map-just, only the latest"),
    Probe("group", "probeEmit", "value sent to its group of 4"),
    Probe("forward", "probeEmit", "value passed on to another subject"),
    Probe("publish", "probeEmit", "value through a connection to 1 subscriber"),
    Probe("share", "probeEmit", "value shared by 8 subscribers"),
    Probe("debounce", "probeEmit", "value postponed in place of another"),
    Probe("rate-limit", "probeEmit", "value in place of another, until the interval ends"),
    Probe("delay-send", "probeEmit", "value that will be delayed"),
    Probe("delay-deliver", "probeStep", "value that was delayed, all due at once"),
    Probe("timeout", "probeEmit", "value in time"),
    Probe("cold-chain", "probeColdChain", "element through map, filter, map"),
    Probe("cold-subscribe", "probeColdSubscribe", "just, map and filter built and run"),
    Probe("replay-emit", "probeReplayEmit", "send to 1 subscriber, 16 values kept"),
    Probe("replay-late", "probeReplayLate", "value replayed to a new subscriber"),
    Probe("current-set", "probeCurrentSet", "current value set, 1 subscriber"),
    Probe("current-read", "probeCurrentRead", "current value read"),
    Probe("property-set", "probePropertySet", "property set, 1 subscriber"),
    Probe("property-read", "probePropertyRead", "property read"),
    Probe("command-execute", "probeCommandExecute", "command executed, answer subscribed"),
    Probe("hop-send", "probeHopSend", "value sent into a hop"),
    Probe("hop-not-needed", "probeHopSend", "value that need not hop"),
    Probe("hop-deliver", "probeHopDeliver", "value delivered after a hop, 1,024 a drain"),
    Probe("subscribe-dispose", "probeSubscribeDispose", "subscribe and dispose"),
    Probe("subscribe-dispose-100", "probeSubscribeDispose", "the same beside 100 others"),
    Probe("subscribe-chain", "probeSubscribing", "map, filter, map put together, subscribed and disposed"),
    Probe("subscribe-merge", "probeSubscribing", "the same with a merge of 2"),
    Probe("subscribe-combine-latest", "probeSubscribing", "the same with a combine-latest of 2"),
    Probe("subscribe-zip", "probeSubscribing", "the same with a zip of 2"),
    Probe("subscribe-flat-map", "probeSubscribing", "the same with a flatMap"),
    Probe("subscribe-concat", "probeSubscribing", "the same with a concat of 2"),
    Probe("subscribe-share", "probeSubscribing", "a shared signal subscribed beside another one, and disposed"),
    Probe("subject-life", "probeLife", "subject made, subscribed, sent to, completed and released"),
    Probe("replay-life", "probeLife", "replay subject made, sent to, completed, subscribed and released"),
    Probe("property-life", "probeLife", "property made, observed, set and released"),
    Probe("action-disposable", "probeActionDisposable", "made and disposed"),
    Probe("compound-add-remove", "probeCompoundAddRemove", "added to 100 others and taken out"),
    Probe("serial-swap", "probeSerialSwap", "content of a slot replaced"),
]

# The probes whose events may retain. All others must not, whatever the baseline says.
MAY_RETAIN = {
    "zip", "flat-map-just", "flat-map-inner", "concat-map-just", "ordered-just", "switch-just", "group", "command-execute",
    "cold-subscribe", "subscribe-dispose", "subscribe-dispose-100", "subscribe-chain", "subscribe-merge", "subscribe-combine-latest",
    "subscribe-zip", "subscribe-flat-map", "subscribe-concat", "subscribe-share", "subject-life", "replay-life", "property-life",
    "action-disposable", "compound-add-remove", "serial-swap",
}  # fmt: skip


def counted(program: str, probes: list[Probe], tell: Callable[[str], None]) -> dict[str, callgrind.Counts]:
    """The cost of one event of each probe. Runs as many at a time as there are processors, which does not affect counts."""

    known = callgrind.symbols(program)
    symbols = {function: callgrind.symbol_of(function, program, known) for function in {probe.function for probe in probes}}

    def count(probe: Probe) -> callgrind.Counts:
        few, many = (callgrind.counts(program, probe.name, symbols[probe.function], count) for count in COUNTS)
        return callgrind.Counts(*((after - before) / (COUNTS[1] - COUNTS[0]) for before, after in zip(few, many)))

    found = {}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        try:
            for number, (probe, counts) in enumerate(zip(probes, workers.map(count, probes)), 1):
                tell(f"counted {probe.name}, {number} of {len(probes)}")
                found[probe.name] = counts
        except BaseException:
            workers.shutdown(cancel_futures=True)
            raise
    return found


def retaining(found: dict[str, callgrind.Counts]) -> Iterable[str]:
    """The probes that retain and must not. Two or three retains per piece of work count as none for each of the 1,024 values that it delivers.
    Callgrind counts the calls of the whole probe, not only those inside the function."""
    for name, counts in found.items():
        if counts.retains >= 0.01 and name not in MAY_RETAIN:
            yield f"{name} ({counts.retains:.3f} an event)"
