# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""The probes of perf/instructions, and how their costs are counted."""

import os
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Callable, Iterable, NamedTuple

import callgrind
import package

COUNTS = (2_000, 6_000)


class Probe(NamedTuple):
    # The name of the probe on the command line of WeirProbe.
    name: str
    # The function whose work is counted.
    function: str
    # What one event is.
    meaning: str


PROBES = [
    Probe("emit", "probeEmit", "send to 1 subscriber"),
    Probe("emit-8", "probeEmit", "send to 8 subscribers"),
    Probe("emit-64", "probeEmit", "send to 64 subscribers"),
    Probe("hot-chain", "probeEmit", "value through map, filter, map"),
    Probe("hot-chain-keeping", "probeEmit", "the same; each closure captures a number"),
    Probe("hot-chain-last-keeping", "probeEmit", "the same; only the last closure does"),
    Probe("hot-chain-stored", "probeEmit", "value through map, filter, map of a signal that an object stores"),
    Probe("hot-maps", "probeEmit", "value through 10 maps"),
    Probe("hot-kinds", "probeEmit", "value through 15 operators, one of each kind"),
    Probe("scan-distinct-take", "probeEmit", "value through scan, distinct and take"),
    Probe("merge", "probeInTurn", "value through a merge of 2"),
    Probe("merge-chains", "probeInTurn", "the same; map, filter, map before each signal"),
    Probe("combine-latest", "probeInTurn", "value into a combine-latest of 2"),
    Probe("combine-latest-chains", "probeInTurn", "the same; map, filter, map before each signal"),
    Probe("combine-latest-4", "probeInTurn", "value into a combine-latest of 4; every second one is for three of them"),
    Probe("zip", "probeInTurn", "value into a zip of 2; every second one completes a pair"),
    Probe("with-latest", "probeEmit", "value paired with the latest value of another source"),
    Probe("take-until", "probeEmit", "value through take(until:) before the trigger fires"),
    Probe("race", "probeEmit", "value of the signal that has won a race of 2"),
    Probe("and", "probeInTurn", "value into an and of 2"),
    Probe("flat-map-just", "probeEmit", "value through a flatMap to a signal of one value"),
    Probe("flat-map-inner", "probeEmit", "the same; the inner signal has an operator"),
    Probe("concat-map-just", "probeEmit", "flat-map-just with .concat"),
    Probe("ordered-just", "probeEmit", "flat-map-just with .ordered"),
    Probe("switch-just", "probeEmit", "flat-map-just as map and switchToLatest"),
    Probe("switch-inner", "probeEmit", "value of the signal that switchToLatest follows"),
    Probe("group", "probeEmit", "value sent to its group, one of 4"),
    Probe("forward", "probeEmit", "value forwarded to another subject"),
    Probe("publish", "probeEmit", "value through a connection to 1 subscriber"),
    Probe("share", "probeEmit", "value shared by 8 subscribers"),
    Probe("debounce", "probeEmit", "value that replaces the one that debounce holds"),
    Probe("debounce-any", "probeEmit", "the same on an any TimedScheduler with a clock of its own"),
    Probe("rate-limit", "probeEmit", "value that replaces the one held until the interval ends"),
    Probe("delay-send", "probeEmit", "value that will be delayed"),
    Probe("delay-deliver", "probeStep", "delayed value delivered; all are due at once"),
    Probe("timeout", "probeEmit", "value that comes before the timeout"),
    Probe("schedule-after", "probeScheduleAfter", "closure scheduled to run in a second"),
    Probe("scheduled-run", "probeStep", "that closure run; all are due at once"),
    Probe("timer", "probeTimer", "subscribe to a timer"),
    Probe("cold-chain", "probeColdChain", "element through map, filter, map"),
    Probe("cold-subscribe", "probeColdSubscribe", "just, map and filter put together and run"),
    Probe("replay-emit", "probeReplayEmit", "send to 1 subscriber; 16 values are retained"),
    Probe("replay-late", "probeReplayLate", "value replayed to a new subscriber"),
    Probe("current-set", "probeCurrentSet", "current value set; 1 subscriber"),
    Probe("current-read", "probeCurrentRead", "current value read"),
    Probe("property-set", "probePropertySet", "property set; 1 subscriber"),
    Probe("property-read", "probePropertyRead", "property read"),
    Probe("observer-send", "probeObserverSend", "value sent through an observer; 1 subscriber"),
    Probe("observer-send-nested", "probeObserverSend", "the same; every second value is sent in the delivery of another"),
    Probe("subscribe-create", "probeSubscribeCreate", "subscribe to a signal that sends one value through an observer"),
    Probe("current-modify", "probeCurrentModify", "current value changed by a closure; 1 subscriber"),
    Probe("bind", "probeFollowedSet", "set of a property to whose signal another one is bound, with 1 subscriber"),
    Probe("bind-both-ways", "probeFollowedSet", "set of a property that is kept equal to another one, with 1 subscriber"),
    Probe("bind-object", "probeFollowedSet", "set of a property to whose signal that of an object is bound"),
    Probe("bind-target", "probeFollowedSet", "the same; through a BindingTarget made with a literal key path"),
    Probe("property-changes", "probeFollowedSet", "set of a property; 1 subscriber of its changes"),
    Probe("property-map", "probeFollowedSet", "the same; of a property that is derived by map"),
    Probe("property-distinct", "probeFollowedSet", "the same; derived by distinct"),
    Probe("property-combined", "probeFollowedSet", "the same; combined with another one"),
    Probe("terminal", "probeFollowedSet", "set of a property; 1 subscriber of its terminal"),
    Probe("terminal-send", "probeTerminalSend", "value sent to the terminal of a property; 1 subscriber"),
    Probe("channel", "probeChannelSend", "value sent through a channel; 1 subscriber"),
    Probe("command-execute", "probeCommandExecute", "command executed and its result subscribed to"),
    Probe("hop-send", "probeHopSend", "value sent into a hop"),
    Probe("hop-not-needed", "probeHopSend", "value that does not need to hop"),
    Probe("hop-deliver", "probeHopDeliver", "value delivered after a hop, 1,024 in a batch"),
    Probe("subscribe-dispose", "probeSubscribeDispose", "subscribe and dispose"),
    Probe("subscribe-dispose-100", "probeSubscribeDispose", "the same with 100 other subscribers"),
    Probe("subscribe-chain", "probeSubscribing", "map, filter, map put together, subscribed and disposed"),
    Probe("subscribe-merge", "probeSubscribing", "the same with a merge of 2"),
    Probe("subscribe-merge-chains", "probeSubscribing", "the same; map, filter, map before each signal"),
    Probe("subscribe-combine-latest", "probeSubscribing", "the same with a combine-latest of 2"),
    Probe("subscribe-combine-latest-chains", "probeSubscribing", "subscribe-combine-latest; map, filter, map before each signal"),
    Probe("subscribe-zip", "probeSubscribing", "the same with a zip of 2"),
    Probe("subscribe-flat-map", "probeSubscribing", "the same with a flatMap"),
    Probe("subscribe-concat", "probeSubscribing", "the same with a concat of 2"),
    Probe("subscribe-share", "probeSubscribing", "shared signal subscribed and disposed; it has another subscriber"),
    Probe("subscribe-retry", "probeSubscribing", "subscribe-chain with retry(upTo:) in place of the operators"),
    Probe("subscribe-chain-stored", "probeSubscribing", "subscribe-chain on a signal that an object stores"),
    Probe("subject-life", "probeLife", "subject created, subscribed, sent to, completed and released"),
    Probe("replay-life", "probeLife", "replay subject created, sent to, completed, subscribed and released"),
    Probe("property-life", "probeLife", "property created, observed, set and released"),
    Probe("action-disposable", "probeActionDisposable", "disposable with a closure created and disposed"),
    Probe("compound-add-remove", "probeCompoundAddRemove", "disposable added to a set of 100 and removed"),
    Probe("serial-swap", "probeSerialSwap", "disposable in a slot replaced by another"),
]

# The probes whose events may retain something. All others must not, whatever is recorded.
MAY_RETAIN = {
    "bind-both-ways", "bind-object", "schedule-after", "scheduled-run", "timer", "observer-send-nested", "subscribe-create",
    "current-modify", "debounce-any", "flat-map-inner", "group", "command-execute", "cold-subscribe", "subscribe-dispose",
    "subscribe-dispose-100", "subscribe-chain", "subscribe-merge", "subscribe-merge-chains", "subscribe-combine-latest",
    "subscribe-combine-latest-chains", "subscribe-zip", "subscribe-flat-map", "subscribe-concat", "subscribe-share", "subscribe-retry",
    "subscribe-chain-stored", "subject-life", "replay-life", "property-life", "compound-add-remove", "serial-swap",
}  # fmt: skip


def counted(program: str, probes: list[Probe], tell: Callable[[str], None]) -> dict[str, callgrind.Counts]:
    """The cost of one event of each probe. Runs as many probes at a time as there are processors, which does not affect the counts."""
    known = callgrind.symbols(program)
    symbols = {function: callgrind.symbol_of(function, program, known) for function in {probe.function for probe in probes}}

    def count(probe: Probe) -> callgrind.Counts:
        few, many = callgrind.counts(program, probe.name, symbols[probe.function], [COUNTS[0], *COUNTS])
        return callgrind.Counts(*((after - before) / (COUNTS[1] - COUNTS[0]) for before, after in zip(few, many)))

    found = {}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        counting = [workers.submit(count, probe) for probe in probes]
        try:
            for number, (probe, counts) in enumerate(zip(probes, counting), 1):
                found[probe.name] = counts.result()
                tell(f"counted {probe.name}, {number} of {len(probes)}")
        except BaseException:
            for counts in counting:
                counts.cancel()
            # More than once: a worker may be about to start one.
            while wait(counting, timeout=0.1).not_done:
                package.stop_all()
            raise
    return found


def retaining(found: dict[str, callgrind.Counts]) -> Iterable[str]:
    """The probes that retain something but must not. Two or three retains for a batch of 1,024 values count as none for each value.
    Callgrind counts the calls of the whole probe, not only those inside the function."""
    for name, counts in found.items():
        if counts.retains >= 0.01 and name not in MAY_RETAIN:
            yield f"{name} ({counts.retains:.3f} per event)"
