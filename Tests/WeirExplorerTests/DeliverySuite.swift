// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// A serial delivery, what it delivers to, and something that its handler owns.
private final class Delivered: @unchecked Sendable {  // one thread runs at a time
  let listener = Listener()
  let ledger = Ledger()
  let delivery: SerialDelivery<Int, Never>
  var errands = 0

  init() {
    let (listener, token) = (listener, ledger.make())
    delivery = SerialDelivery(
      to: Sink(
        next: { number in withExtendedLifetime(token) { listener.take(number) } },
        terminate: { _ in listener.complete() }, subscription: Subscription()))
  }

  /// - Parameter sent: what may have been delivered, in order; only the first of it if the terminal event
  ///   came before.
  func problem(sent: [Int], completed: Int) -> String? {
    if let problem = listener.problem { return problem }
    if !sent.starts(with: listener.numbers) { return "delivered \(listener.numbers)" }
    if listener.completions != completed { return "completed \(listener.completions) times" }
    return ledger.alive == 0 ? nil : "the handler is still there"
  }
}

/// A word that some threads change.
private final class Counted: @unchecked Sendable {  // one thread runs at a time
  struct Count: PackedWord {
    var bits: UInt64
  }
  private let words = Words(1)
  var word: AtomicWord { AtomicWord(words.words) }
}

extension Exploring {
  @Suite struct DeliverySuite {
    private func send(_ number: Int) -> Operation<Delivered> {
      Operation("send \(number)") { $0.delivery.send(number) }
    }

    @Test("A13: a completion during another thread's delivery is delivered once, and everything is released")
    func terminated() {
      let end = Operation<Delivered>("end") { $0.delivery.terminate(.completed) }
      expectSound(
        Scenario(
          "delivery: send and end", setup: { Delivered() }, threads: [[send(1), send(2)], [end]],
          check: { $0.problem(sent: [1, 2], completed: 1) }))
      expectSound(
        Scenario(
          "delivery: both end", setup: { Delivered() }, threads: [[send(1), end], [end]],
          check: { $0.problem(sent: [1], completed: 1) }))
    }

    @Test(
      "E9: after disposal during another thread's delivery, a prefix has been delivered and everything is released"
    )
    func disposed() {
      expectSound(
        Scenario(
          "delivery: send and dispose", setup: { Delivered() },
          threads: [[send(1), send(2)], [Operation("dispose") { $0.delivery.core.endDelivery() }]],
          check: { $0.problem(sent: [1, 2], completed: 0) }))
    }

    @Test("an errand runs once, whichever delivery it waits for, and no value is lost beside it")
    func errands() {
      let inTurn = Operation<Delivered>("errand in turn") { it in
        it.delivery.inTurn { it.errands += 1 }
      }
      let afterItems = Operation<Delivered>("errand after items") { it in
        it.delivery.afterItems { it.errands += 1 }
      }
      for (name, errand) in [("in turn", inTurn), ("after items", afterItems)] {
        expectSound(
          Scenario(
            "delivery: send and an errand \(name)", setup: { Delivered() },
            threads: [[send(1), send(2)], [errand]],
            check: { it in
              if it.errands != 1 { return "the errand ran \(it.errands) times" }
              return it.listener.numbers == [1, 2] ? nil : "delivered \(it.listener.numbers)"
            }))
      }
    }

    @Test("concurrent changes of a word are all applied")
    func word() {
      let change = Operation<Counted>("change") {
        $0.word.change { (count: inout Counted.Count) in count.bits += 1 }
      }
      expectSound(
        Scenario(
          "word: two change it", setup: { Counted() }, threads: [[change, change], [change]],
          check: { it in it.word.load() == 3 ? nil : "\(it.word.load()) changes are left of 3" }),
      )
    }
  }
}
