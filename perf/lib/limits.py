# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Which limit of the machine belongs to a scenario."""

# By the part of the name before the slash, for scenarios whose limit does not depend on the rest.
LIMITS_OF_FAMILIES = {
    "hot-chain": "calls/4",
    "hot-maps": "composed-maps/10",
    "hot-chain-plain": "calls/4",
    "hot-maps-plain": "composed-maps/10",
    "scan-distinct-take": "hand-scan-distinct-take",
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
    "subscribe-dispose": "allocate-2-cas",
    "dispose-action": "allocate-rmw",
    "compound": "allocate-2-cas",
    "serial-replace": "allocate-action",
    "score": "hand-score",
}
# By the same part, for scenarios whose limit has the same size as they have.
SIZES = {
    "emit": "object-loop",
    "emit-2-threads": "object-loop",
    "emit-unserialized": "closure-loop",
    "share": "object-loop",
    "cold-chain": "hand-loop",
    "cold-maps": "hand-maps",
    "contended": "shared-calls",
    "contended-slowest": "shared-calls",
}


def limit_of(scenario: str) -> str | None:
    """The scenario that measures the limit of this one, unless that has a limit of its own. None if there is none."""
    family, _, size = scenario.partition("/")
    if family in SIZES:
        return f"{SIZES[family]}/{size.partition('-')[0]}"
    return LIMITS_OF_FAMILIES.get(family)
