# Part of Weir. SPDX-License-Identifier: Apache-2.0
import json
import re
import unittest
from pathlib import Path

import families
import limits
import markdown
import table
import targets

PERF = Path(__file__).resolve().parents[1]


def result(scenario, implementation, ns, allocations=0, **more):
    return {"scenario": scenario, "implementation": implementation, "ns_min": ns, "ns_median": 2 * ns, "allocations": allocations} | more


LIMITS = [result("object-call", "limit", 1.0), result("atomic-rmw", "limit", 2.0), result("calls/4", "limit", 4.0)]


def verdicts(results, memory=()):
    """The verdict on each target, by its name."""
    lines = targets.rendered(results, memory).splitlines()[2:]
    return {line.split("  ")[0]: line.split()[-1] for line in lines if line.endswith(("pass", "miss", "not counted"))}


class TargetTests(unittest.TestCase):
    def test_a_bound_follows_from_limits_of_the_same_run(self):
        name = "emit/1 <= 1.2 x (object-call + 2 x atomic-rmw)"
        self.assertEqual(verdicts(LIMITS + [result("emit/1", "weir", 6.0)])[name], "pass")
        self.assertEqual(verdicts(LIMITS + [result("emit/1", "weir", 6.1)])[name], "miss")

    def test_the_bound_of_an_operator_is_relative_to_sending(self):
        name = "hot-chain/3 <= emit/1 + 1.3 x calls/4"
        self.assertEqual(verdicts(LIMITS + [result("emit/1", "weir", 6.0), result("hot-chain/3", "weir", 11.2)])[name], "pass")
        self.assertEqual(verdicts(LIMITS + [result("emit/1", "weir", 5.9), result("hot-chain/3", "weir", 11.2)])[name], "miss")

    def test_a_target_that_was_not_measured_has_no_verdict(self):
        self.assertEqual(verdicts([result("hot-chain/3", "weir", 11.2)]), {"hot-chain/3 allocates nothing": "pass"})

    def test_an_allocation_is_a_miss_where_none_is_allowed(self):
        found = verdicts([result("switch-just", "weir", 1.0, allocations=1.0), result("command-execute", "weir", 1.0, allocations=9.0)])
        self.assertEqual(found, {"switch-just allocates nothing": "miss"})

    def test_a_receiver_that_spins_is_compared_with_the_limit_and_one_that_sleeps_with_a_condition_variable(self):
        busy, idle = "hop-latency-p99/back-to-back", "hop-latency-p99/idle"
        results = [result(busy, "limit", 100), result(idle, "limit-condition", 20_000), result(busy, "weir", 900)]
        names = [f"{busy}, weir-spinning <= 1.5 x limit", f"{idle} <= 1.1 x limit-condition"]
        good = verdicts(results + [result(busy, "weir-spinning", 150), result(idle, "weir", 22_000)])
        bad = verdicts(results + [result(busy, "weir-spinning", 151), result(idle, "weir", 22_001)])
        self.assertEqual([good[name] for name in names], ["pass", "pass"])
        self.assertEqual([bad[name] for name in names], ["miss", "miss"])

    def test_contended_senders_are_compared_by_their_medians(self):
        senders = [result("contended/2", "weir", 3.0), result("contended/2", "mutex-copy", 1.0, ns_median=7.0)]
        self.assertEqual(verdicts(senders)["contended/2 <= mutex-copy"], "pass")

    def test_memory_has_targets_of_its_own(self):
        memory = [{"piece": "chain", "source": "map/10", "implementation": "weir", "bytes": 700.0, "blocks": 3.0}]
        found = verdicts([], memory)
        self.assertEqual(found["chain of map/10 takes at most 700 bytes"], "pass")
        self.assertEqual(found["chain of map/10 takes at most 2 blocks"], "miss")


class FamilyTests(unittest.TestCase):
    def test_tables_are_in_the_order_of_families_and_limits_come_last(self):
        results = LIMITS + [result("score", "weir", 1.0), result("emit/8", "weir", 1.0)]
        self.assertEqual([title for title, _ in families.grouped(results)], ["Sending", "Cold chains", families.LIMITS])

    def test_a_limit_is_in_the_row_of_the_scenario_that_it_bounds(self):
        text = table.by_family([result("hot-chain/3", "weir", 8.0)] + LIMITS)
        row = next(line for line in text.splitlines() if line.startswith("hot-chain/3"))
        self.assertIn("4.00 (8.00) 0.50x", row)

    def test_every_scenario_on_record_has_a_family_or_is_a_limit(self):
        # Otherwise it would be among the limits of the machine, without ratios.
        record = json.loads((PERF / "baselines" / "results.json").read_text())
        stray = {each["scenario"] for title, found in families.grouped(record) if title == families.LIMITS
                 for each in found if each["implementation"] != "limit"}  # fmt: skip
        self.assertEqual(stray, set(), "add them to FAMILIES in perf/lib/families.py")

    def test_every_scenario_on_record_is_described(self):
        text = (PERF / "SCENARIOS.md").read_text()
        described = {name.partition("/")[0] for row in re.findall(r"^\|([^|]*)\|", text, re.MULTILINE) for name in re.findall("`([^`]*)`", row)}
        # A scenario that is only a limit must be described if another scenario needs it; others remain only until the next recorded run.
        needed = {*limits.LIMITS_OF_FAMILIES.values(), *limits.SIZES.values()}
        record = json.loads((PERF / "baselines" / "results.json").read_text())
        names = {each["scenario"] for each in record if each["implementation"] != "limit"} | needed
        self.assertGreater(len(names), 90)
        missing = {name for name in names if name.partition("/")[0] not in described}
        self.assertEqual(missing, set(), "give each a row in perf/SCENARIOS.md")

    def test_noise_is_computed_from_scenarios_with_one_thread(self):
        results = [result("emit/1", "weir", 2.0, ns_median=3.0), result("contended/2", "weir", 1.0, ns_median=9.0)]
        self.assertEqual(table.noise(results), ["with one thread, the median repetition took 1.50 times as long as the fastest"])
        self.assertIn(table.noise(results)[0], markdown.tables(results))
        self.assertEqual(table.noise(results[1:]), [])

    def test_one_sender_is_compared_by_its_fastest_repetition(self):
        names = ("contended/1", "contended/1-churn", "contended/2", "shared-calls/1", "task/burst")
        self.assertEqual([name for name in names if table.statistic(name) == "ns_min"], ["contended/1", "shared-calls/1"])

    def test_without_weir_itself_others_are_compared_with_its_first_form(self):
        found = [result("task/burst", name, ns) for name, ns in (("weir-values", 4.0), ("weir-chunks", 2.0), ("async-stream", 40.0))]
        row = next(line for line in table.by_family(found).splitlines() if line.startswith("task/burst"))
        self.assertEqual(row.split()[1:], ["4.00", "(8.00)", "2.00", "(4.00)", "0.50x", "40.0", "(80.0)", "10.00x"])

    def test_lost_events_are_reported(self):
        text = table.by_family([result("emit/8", "opencombine", 1.0, failed=3, operations=50)])
        self.assertIn("opencombine lost 3 of 50 events of emit/8", text)
