// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  @Suite struct GroupLifetimeStress {
    private let perThread = 300
    init() { perturb() }

    /// What one group delivered.
    private struct Seen {
      let key: Int
      let values = Gathered<Int>()
      let ends = Counter()
    }

    @Test(
      "when groups end during sends, each value is in one group of its key, in order, and each group completes once"
    )
    func ending() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(40) {
        let (source, scheduler) = (Subject<Int, Never>(), VirtualScheduler())
        let groups = Gathered<Seen>()
        let (foreign, done) = (Counter(), Counter())
        let grammar = Grammar<GroupedSignal<Int, Int, Never>, Never>(next: { group in
          let seen = Seen(key: group.key)
          groups.append(seen)
          group.subscribe(
            next: { value in
              if value % 4 != seen.key || seen.ends.value > 0 { foreign.add() }
              seen.values.append(value)
            }, completed: { seen.ends.add() })
        })
        // A value ends the group of its key in every other round, time in the others.
        let lifetime: GroupLifetime<Int, Int, Never> =
          round % 2 == 0 ? .untilIdle(for: .zero, on: scheduler) : .until { $0.filter { $0 % 7 == 0 } }
        let subscription = grammar.subscribe(to: source.group(by: { $0 % 4 }, lifetime: lifetime))
        withThreads(3) { index in
          if index == 2 {
            while done.value < 2 { if Bool.random() { scheduler.step() } else { weir_yield() } }
            return
          }
          for number in 0..<perThread { source.send(index * perThread + number) }
          if done.add() == 1 { source.complete() }
        }
        #expect(groups.all.allSatisfy { $0.ends.value == 1 && !$0.values.all.isEmpty })
        for key in 0..<4 {
          let values = groups.all.filter { $0.key == key }.flatMap(\.values.all)
          for thread in 0..<2 {
            let range = thread * perThread..<(thread + 1) * perThread
            #expect(values.filter(range.contains) == range.filter { $0 % 4 == key })
          }
        }
        #expect(foreign.value == 0 && grammar.violations == 0)
        #expect(subscription.isDisposed && scheduler.waitingCount == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }
  }
}
