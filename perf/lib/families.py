# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Which scenarios share a table."""

# Each heading with the scenarios under it: the parts of their names before the slash.
FAMILIES = [
    ("Sending", ("emit", "emit-unserialized", "emit-many", "share")),
    ("Sending from several threads", ("emit-2-threads", "contended", "contended-slowest", "send-time-p50", "send-time-p99", "send-time",
                                       "merge-2-threads", "replay-churn-2-threads")),
    ("Subscribing and disposing", ("subscribe-dispose", "subject-life", "dispose-action", "compound", "serial-replace")),
    ("Subscribing to operators", ("subscribe-hot-chain", "subscribe-merge", "subscribe-combine-latest", "subscribe-zip", "subscribe-with-latest",
                                  "subscribe-flat-map-inner", "subscribe-switch-just")),
    ("Hot chains", ("hot-chain", "hot-maps", "hot-chain-plain", "hot-maps-plain", "scan-distinct-take")),
    ("Cold chains", ("cold-chain", "cold-maps", "score")),
    ("Combining", ("merge", "combine-latest", "zip", "with-latest")),
    ("Flattening", ("flat-map-just", "flat-map-inner", "concat-map-just", "switch-just")),
    ("Replaying", ("replay-emit", "replay-late")),
    ("State", ("current-set", "property-set", "current-read", "property-read", "current-read-string", "property-read-string",
               "property-set-many", "current-read-2-threads", "property-read-2-threads")),
    ("Commands and timers", ("command-execute", "timer-arm")),
    ("Changing threads", ("hop", "task", "spread", "hop-latency-p50", "hop-latency-p99", "hop-latency")),
]  # fmt: skip
LIMITS = "Limits of the machine"


def grouped(results: list[dict]) -> list[tuple[str, list[dict]]]:
    """The results under their headings, in this order; results without a heading are limits."""
    heading = {name: title for title, names in FAMILIES for name in names}
    titles = [title for title, _ in FAMILIES] + [LIMITS]
    found: dict[str, list[dict]] = {title: [] for title in titles}
    for result in results:
        found[heading.get(result["scenario"].partition("/")[0], LIMITS)].append(result)
    return [(title, found[title]) for title in titles if found[title]]
