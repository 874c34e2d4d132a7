// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

/// Race tables count outcomes, and report those that are not allowed.
struct RaceTableTests {
  @Test("the operations of a round run concurrently, each once, on new state")
  func together() {
    let table = RaceTable(
      rounds: 200,
      setup: { (doors: [Door(), Door(), Door()], runs: Counter()) },
      race: (0..<3).map { index in
        { it in
          // Each waits for the next one: one after the other would never end.
          it.doors[index].open()
          it.doors[(index + 1) % 3].pass()
          it.runs.add()
        }
      },
      outcome: { it in it.runs.value }, allowed: [.init(3, because: "each runs once")])
    let report = table.run()
    #expect(report.problem == nil && report.count(of: 3) == 200)
  }

  @Test(
    "an outcome that is not in the table is a problem, whose description shows the table and unseen outcomes")
  func forbidden() {
    let rounds = Counter()
    let report = RaceTable(
      rounds: 10, setup: { rounds.add() }, race: [{ _ in }, { _ in }],
      outcome: { round in round < 7 ? "first" : "then" },
      allowed: [.init("first", because: "it begins so"), .init("last", because: "it might end so")]
    ).run()
    #expect(report.forbidden.map(\.outcome) == ["then"] && report.unseen.map(\.outcome) == ["last"])
    #expect(
      report.problem?.description == """
        a race had an outcome that is not allowed
        outcomes of 10 rounds:
           3  then  NOT ALLOWED
           7  first  allowed: it begins so
           0  last  never seen: it might end so
        """)
  }

  @Test("threads change operations between rounds, so that no thread is always first")
  func turns() {
    let threads = [Box<Set<UInt64>>([]), Box([])]
    _ = RaceTable(
      rounds: 10, setup: {},
      race: threads.map { threads in { _ in threads.value.insert(weir_thread()) } },
      outcome: { 0 }, allowed: []
    ).run()
    #expect(threads.map(\.value.count) == [2, 2] && threads[0].value == threads[1].value)
  }

  @Test("a table runs ten thousand rounds by default, and releases the state of each")
  func rounds() {
    let resources = Resources()
    let report = RaceTable(
      setup: { resources.make() }, race: [{ _ in }, { _ in }], outcome: { _ in resources.alive },
      allowed: [.init(1, because: "the state of earlier rounds is gone")]
    ).run()
    #expect(report.problem == nil && report.rounds == 10_000)
    #expect(resources.alive == 0)
  }
}
