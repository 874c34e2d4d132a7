# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Which limit of the machine belongs to a scenario."""

# By the name before the slash, if what stands behind it does not matter.
FAMILIES = {
    "merge": "cas-call",
    "merge-2-threads": "cas-call",
    "combine-latest": "cas-2-calls",
    "zip": "cas-2-calls",
    "with-latest": "cas-2-calls",
    "flat-map-just": "calls/2",
    "flat-map-inner": "calls/2",
    "concat-map-just": "calls/2",
    "switch-just": "calls/2",
    "replay-emit": "ring-store-call",
    "replay-late": "object-call",
    "replay-churn-2-threads": "ring-store-call",
    "current-set": "exchange-call",
    "property-set": "exchange-call",
    "current-read": "atomic-load",
    "property-read": "atomic-load",
}
# The same where it does.
LOOPS = {
    "emit": "object-loop",
    "emit-2-threads": "object-loop",
    "share": "object-loop",
    "cold-chain": "hand-loop",
}
# What has no limit, but slows down with something.
KINDRED = {
    "subscribe-dispose": "atomic-rmw",
    "timer-arm": "atomic-rmw",
    "contended": "atomic-rmw",
}


def limit_of(scenario: str) -> str | None:
    """The scenario in which it was measured, unless the scenario has a limit of its own. None if there is none."""
    family, _, size = scenario.partition("/")
    if family in LOOPS:
        return f"{LOOPS[family]}/{size}"
    return FAMILIES.get(family)


def kindred_limit(scenario: str) -> str | None:
    """The same, or the limit that says how fast the machine was when this was measured."""
    return limit_of(scenario) or KINDRED.get(scenario.partition("/")[0])
