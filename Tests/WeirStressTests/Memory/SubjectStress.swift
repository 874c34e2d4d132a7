// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// What one permanent subscriber received of the events `sender << 32 | number`.
private final class Witness: @unchecked Sendable {  // written in serial delivery only
  var count = 0
  var order = 0
  var isInOrder = true
  private var last: [Int: Int] = [:]

  func see(_ event: Int) {
    count += 1
    order = (order &* 31) ^ event
    let (sender, number) = (event >> 32, event & 0xFFFF_FFFF)
    if number <= last[sender, default: -1] { isInOrder = false }
    last[sender] = number
  }
}

extension Stress {
  @Suite struct SubjectStress {
    init() { perturb() }

    /// Two senders (one also sends from inside a delivery), two threads that subscribe and dispose, permanent
    /// subscribers that compare what they saw, subscribers that dispose themselves inside their callback.
    @Test(
      "A5 A13: concurrent and nested sends during subscriber churn are delivered serially, in one order, without loss"
    )
    func everything() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(10) { round() }
      expectBlocks(notAbove: blocksBefore)
    }

    private func round() {
      let (senders, events) = (2, 1500)
      let resources = Resources()
      let witnesses = (0..<3).map { _ in Witness() }
      let completions = Counter()
      do {
        let subject = Subject<Int, Never>()
        let grammars = witnesses.map { witness in
          Grammar<Int, Never>(
            next: { [token = resources.make()] event in
              _ = token
              witness.see(event)
            },
            terminated: { _ in completions.add() })
        }
        for grammar in grammars { grammar.subscribe(to: subject.signal) }
        // Every tenth event of sender 0 makes it send one more from inside its delivery, as sender 9.
        subject.subscribe { [unowned subject] event in
          if event >> 32 == 0, event % 10 == 0 { subject.send(9 << 32 | event) }
        }
        withThreads(senders + 2) { index in
          if index < senders {
            for number in 0..<events {
              subject.send(index << 32 | number)
              // Gaps, so that the release of the turn is exercised too.
              if number % 64 == 0 { weir_yield() }
            }
          } else {
            for number in 0..<(events / 2) { churn(subject, number, resources) }
          }
        }
        subject.complete()
        for grammar in grammars { #expect(grammar.violations == 0) }
        // Those of the permanent subscribers, which the grammars hold.
        #expect(resources.alive == grammars.count)
      }
      let expected = senders * events + events / 10
      for witness in witnesses {
        #expect(witness.count == expected)
        #expect(witness.isInOrder)
        #expect(witness.order == witnesses[0].order)
      }
      #expect(completions.value == witnesses.count)
      #expect(resources.alive == 0)
    }

    private func churn(_ subject: Subject<Int, Never>, _ number: Int, _ resources: Resources) {
      let token = resources.make()
      let slot = SerialDisposable()
      let grammar = Grammar<Int, Never>(next: { _ in
        _ = token
        if number % 3 == 0 { slot.dispose() }
      })
      let subscription = grammar.subscribe(to: subject.signal)
      slot.swap(subscription)
      if number % 7 == 0 { weir_yield() }
      grammar.dispose(subscription)
      #expect(grammar.violations == 0)
    }

    @Test(
      "A5: subscribers added concurrently with send and complete each receive one terminal event and nothing after it"
    )
    func termination() {
      for _ in 0..<roundCount(300) {
        let subject = Subject<Int, Never>()
        let terminals = (0..<20).map { _ in Counter() }
        let grammars = terminals.map { terminals in
          Grammar<Int, Never>(terminated: { _ in terminals.add() })
        }
        withThreads(4) { index in
          switch index {
          case 0: subject.complete()
          case 1: for value in 0..<20 { subject.send(value) }
          default:
            for number in 0..<10 { grammars[10 * (index - 2) + number].subscribe(to: subject.signal) }
          }
        }
        subject.send(20)
        #expect(terminals.allSatisfy { $0.value == 1 })
        #expect(grammars.allSatisfy { $0.violations == 0 })
      }
    }
  }
}
