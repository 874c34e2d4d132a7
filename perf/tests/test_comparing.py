# Part of Weir. SPDX-License-Identifier: Apache-2.0
import unittest

import comparing


def result(scenario, implementation="weir", ns=10.0, **more):
    return {"scenario": scenario, "implementation": implementation, "ns_min": ns, "ns_median": ns} | more


def only(before, now, **more):
    """The comparison of two runs, of which there must be only one."""
    (comparison,) = comparing.compared(before, now, **more).comparisons
    return comparison


class Noise(unittest.TestCase):
    def test_what_takes_twice_as_long_is_worse(self):
        comparison = only([result("emit/1")], [result("emit/1", ns=20)])
        self.assertTrue(comparison.is_worse)
        self.assertAlmostEqual(comparison.ratio, 2)

    def test_what_takes_half_as_long_is_better(self):
        comparison = only([result("emit/1")], [result("emit/1", ns=5)])
        self.assertTrue(comparison.is_better)
        self.assertFalse(comparison.is_worse)

    def test_what_is_within_the_tolerance_is_neither(self):
        for ns in (7.8, 12.9):
            comparison = only([result("emit/1")], [result("emit/1", ns=ns)])
            self.assertFalse(comparison.is_worse or comparison.is_better)

    def test_the_tolerance_can_be_chosen(self):
        self.assertTrue(only([result("emit/1")], [result("emit/1", ns=11)], tolerance=1.05).is_worse)
        self.assertFalse(only([result("emit/1")], [result("emit/1", ns=20)], tolerance=2.5).is_worse)

    def test_slow_phases_that_the_fastest_repetition_has_left_out_hide_nothing(self):
        halves = {"ns_q1": 11.0, "ns_q3": 30.0, "ns_median": 18.0, "ns_min_odd": 10.0, "ns_min_even": 10.5}
        comparison = only([result("emit/1", **halves)], [result("emit/1", ns=20, **halves | {"ns_min_odd": 20.0, "ns_min_even": 21.0})])
        self.assertTrue(comparison.is_worse)
        self.assertAlmostEqual(comparison.bound, 1.3 * (1 + (2 * 0.05**2) ** 0.5))

    def test_halves_whose_fastest_are_far_apart_make_the_bound_larger(self):
        halves = {"ns_min_odd": 10.0, "ns_min_even": 16.0}
        self.assertFalse(only([result("emit/1", **halves)], [result("emit/1", ns=20)]).is_worse)

    def test_medians_of_several_threads_are_as_far_apart_as_quartiles(self):
        wide = {"ns_q1": 8.0, "ns_q3": 12.0, "ns_min_odd": 10.0, "ns_min_even": 10.0}
        self.assertAlmostEqual(only([result("contended/2", **wide)], [result("contended/2")]).bound, 1.3 * 1.4)

    def test_in_a_file_without_halves_quartiles_that_are_far_apart_make_the_bound_larger(self):
        wide = {"ns_q1": 8.0, "ns_q3": 12.0}
        comparison = only([result("emit/1", **wide)], [result("emit/1", ns=15, **wide)])
        self.assertFalse(comparison.is_worse)
        self.assertAlmostEqual(comparison.bound, 1.3 * (1 + (0.4**2 + (4 / 15) ** 2) ** 0.5))

    def test_without_quartiles_the_spread_is_from_the_fastest_to_the_median(self):
        before = result("emit/1") | {"ns_median": 12.5}
        self.assertAlmostEqual(only([before], [result("emit/1")]).bound, 1.3 * 1.2)

    def test_two_threads_compare_medians(self):
        for scenario in ("emit-2-threads/1", "contended/2", "hop/subject", "hop-latency-p99/idle", "spread/64"):
            now = result(scenario) | {"ns_median": 40.0}
            self.assertAlmostEqual(only([result(scenario)], [now]).now, 40, msg=scenario)


class Machine(unittest.TestCase):
    def test_a_machine_that_is_slower_as_a_whole_is_no_change(self):
        before = [result("merge/8"), result("cas-call", "limit", 2)]
        now = [result("merge/8", ns=20), result("cas-call", "limit", 4)]
        self.assertAlmostEqual(only(before, now).ratio, 1)

    def test_a_machine_that_is_faster_hides_nothing(self):
        before = [result("merge/8"), result("cas-call", "limit", 4)]
        now = [result("merge/8"), result("cas-call", "limit", 2)]
        self.assertTrue(only(before, now).is_worse)

    def test_code_with_a_large_footprint_is_compared_with_its_like(self):
        # The loop is as fast as before, but all libraries are slower.
        before = [result("emit/8"), result("object-loop/8", "limit", 9)]
        now = [result("emit/8", ns=16), result("object-loop/8", "limit", 9)]
        for peer in ("mutex-copy", "mutex-inside"):
            before.append(result("emit/8", peer, 20))
            now.append(result("emit/8", peer, 32))
        self.assertAlmostEqual(only(before, now).ratio, 1)

    def test_references_that_disagree_make_the_bound_larger(self):
        before = [result("merge/8"), result("merge/8", "mutex-copy"), result("merge/8", "mutex-inside")]
        now = [result("merge/8", ns=20), result("merge/8", "mutex-copy", 5), result("merge/8", "mutex-inside", 20)]
        comparison = only(before, now)
        self.assertAlmostEqual(comparison.drift, 1.25)
        self.assertGreater(comparison.bound, 2)

    def test_references_that_vary_make_the_bound_larger(self):
        before = [result("merge/8"), result("cas-call", "limit", ns_q1=8.0, ns_q3=13.0)]
        now = [result("merge/8", ns=15), result("cas-call", "limit")]
        self.assertAlmostEqual(only(before, now).bound, 1.3 * 1.5)

    def test_the_limit_of_the_scenario_itself_takes_precedence_over_that_of_its_family(self):
        before = [result("emit/1"), result("emit/1", "limit", 1), result("object-loop/1", "limit", 1)]
        now = [result("emit/1", ns=20), result("emit/1", "limit", 2), result("object-loop/1", "limit", 1)]
        self.assertAlmostEqual(only(before, now).drift, 2)

    def test_without_a_limit_of_its_own_a_scenario_is_compared_with_all(self):
        before = [result("unheard-of"), result("closure-call", "limit", 1)]
        now = [result("unheard-of", ns=20), result("closure-call", "limit", 2)]
        self.assertAlmostEqual(only(before, now).ratio, 1)

    def test_other_forms_of_weir_are_not_references(self):
        before = [result("hop/subject"), result("hop/subject", "weir-thread")]
        now = [result("hop/subject", ns=20), result("hop/subject", "weir-thread", 20)]
        self.assertEqual(len(comparing.compared(before, now).worse), 2)

    def test_the_average_change_of_the_limits_is_reported(self):
        before = [result("a", "limit", 1), result("b", "limit", 1)]
        now = [result("a", "limit", 2), result("b", "limit", 8)]
        self.assertAlmostEqual(comparing.compared(before, now).limits, 4)
        self.assertIsNone(comparing.compared([result("a")], [result("a")]).limits)


class Heap(unittest.TestCase):
    def test_one_allocation_more_is_worse_at_any_speed(self):
        comparison = only([result("emit/1", allocations=0)], [result("emit/1", ns=1, allocations=1)])
        self.assertTrue(comparison.is_worse)
        self.assertEqual(comparison.heap, {"allocations": (0, 1)})

    def test_one_allocation_less_is_better(self):
        comparison = only([result("emit/1", allocations=2)], [result("emit/1", allocations=1)])
        self.assertTrue(comparison.is_better)

    def test_more_bytes_are_worse(self):
        self.assertTrue(only([result("emit/1", bytes=48)], [result("emit/1", bytes=64)]).is_worse)

    def test_occasional_allocations_are_not_compared(self):
        before = [result("subscribe-dispose/0", allocations=4.06, bytes=176.2)]
        self.assertEqual(only(before, [result("subscribe-dispose/0", allocations=4.01, bytes=178)]).heap, {})

    def test_counts_that_one_file_lacks_are_not_compared(self):
        for before, now in (({}, {"allocations": 3}), ({"allocations": None}, {"allocations": 3}), ({"allocations": 3}, {})):
            self.assertEqual(only([result("emit/1", **before)], [result("emit/1", **now)]).heap, {})

    def test_allocations_of_several_threads_are_not_compared(self):
        for scenario in ("contended/2-churn", "replay-churn-2-threads/16", "hop/subject", "spread/64"):
            before = [result(scenario, allocations=0)]
            self.assertEqual(only(before, [result(scenario, allocations=1)]).heap, {}, scenario)


class Names(unittest.TestCase):
    def test_new_and_vanished_scenarios_are_named(self):
        report = comparing.compared([result("a"), result("b", "limit")], [result("a"), result("a", "opencombine")])
        self.assertEqual(report.new, [("a", "opencombine")])
        self.assertEqual(report.vanished, [("b", "limit")])

    def test_missing_scenarios_of_weir_are_listed_separately(self):
        report = comparing.compared([result("a"), result("b", "limit"), result("c"), result("c", "weir-one")], [result("a")])
        self.assertEqual(report.unmeasured, [("c", "weir"), ("c", "weir-one")])

    def test_scenarios_that_are_left_out_are_neither_compared_nor_missed_but_their_limits_are_used(self):
        before = [result("emit/1"), result("zip/2"), result("merge/8"), result("object-loop/1", "limit", 2)]
        now = [result("emit/1", ns=20), result("merge/8", ns=20), result("merge/2"), result("object-loop/1", "limit", 4)]
        report = comparing.compared(before, now, only="emit/,score")
        self.assertEqual((report.new, report.vanished), ([], []))
        (comparison,) = report.comparisons
        self.assertAlmostEqual(comparison.ratio, 1)

    def test_only_weir_is_judged(self):
        report = comparing.compared([result("a", "dispatch")], [result("a", "dispatch", 100)])
        self.assertEqual(report.comparisons, [])

    def test_scenarios_in_which_weir_now_loses_values_are_listed(self):
        report = comparing.compared([result("a"), result("b", failed=2)], [result("a", failed=1), result("b", failed=3)])
        self.assertEqual(report.lossy, [("a", "weir")])
