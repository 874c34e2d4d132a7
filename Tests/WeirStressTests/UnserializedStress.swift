// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  @Suite struct UnserializedStress {
    init() { perturb() }

    /// The hazard is all that protects a walk from concurrent disposals.
    @Test(
      "DD-1: during subscriber churn on other threads, permanent subscribers receive every value and all is released"
    )
    func churn() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(10) { round() }
      expectBlocks(notAbove: blocksBefore)
    }

    private func round() {
      let events = 2_000
      let resources = Resources()
      let (sum, violations, completions) = (Counter(), Counter(), Counter())
      do {
        let subject = UnserializedSubject<Int, Never>()
        for _ in 0..<3 {
          subject.subscribe(next: { sum.add($0) }, completed: { completions.add() })
        }
        withThreads(3) { index in
          if index == 0 {
            for number in 0..<events {
              subject.send(number)
              if number % 64 == 0 { weir_yield() }
            }
            subject.complete()
          } else {
            for number in 0..<(events / 4) {
              let grammar = Grammar<Int, Never>(next: { [token = resources.make()] _ in _ = token })
              let subscription = grammar.subscribe(to: subject.signal)
              if number % 7 == 0 { weir_yield() }
              grammar.dispose(subscription)
              violations.add(grammar.violations)
            }
          }
        }
      }
      #expect(sum.value == 3 * events * (events - 1) / 2)
      #expect(completions.value == 3)
      #expect(violations.value == 0)
      #expect(resources.alive == 0)
    }

    @Test("DD-1: subscribers added concurrently with complete each receive one completion")
    func termination() {
      for _ in 0..<roundCount(300) {
        let subject = UnserializedSubject<Int, Never>()
        let (subscribers, completions) = (Counter(), Counter())
        withThreads(3) { index in
          if index == 0 { return subject.complete() }
          for _ in 0..<10 {
            subscribers.add()
            subject.subscribe(next: { _ in }, completed: { completions.add() })
          }
        }
        #expect(completions.value == subscribers.value)
      }
    }
  }
}
