// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// Turns that are biased to a thread. Without a process-wide fence no turn is ever biased, and these tests
/// expect that.
struct BiasedTurnTests {
  private func withTurn(patience: UInt64, _ body: (BiasedTurn<Int>) -> Void) {
    withWords(BiasedTurn<Int>.wordCount) { words in
      let turn = BiasedTurn<Int>(words: words, patience: patience)
      body(turn)
      turn.destroy()
    }
  }

  private func enterAndLeave(_ turn: BiasedTurn<Int>, times: Int) {
    for _ in 0..<times {
      #expect(turn.enter(as: 1))
      turn.leave()
    }
  }

  private func onAnotherThread(_ body: @escaping @Sendable () -> Void) { withThreads(1) { _ in body() } }

  /// The token of a turn that is biased to the calling thread.
  private var owned: UInt64 { weir_has_process_fence() ? weir_thread() | Bias.biased : 0 }

  @Test("a turn is biased to a thread that enters it `patience` times in a row")
  func given() {
    withTurn(patience: 3) { turn in
      enterAndLeave(turn, times: 2)
      #expect(turn.bias.token.load() == 0)
      enterAndLeave(turn, times: 1)
      #expect(turn.bias.token.load() == owned)
      enterAndLeave(turn, times: 10)
      #expect(turn.bias.token.load() == owned)
    }
  }

  @Test(
    "after an entry by another thread a turn is biased only after more than Bias.patience further entries")
  func startedAgain() {
    withTurn(patience: 3) { turn in
      enterAndLeave(turn, times: 2)
      onAnotherThread { enterAndLeave(turn, times: 1) }
      enterAndLeave(turn, times: Int(Bias.patience))
      #expect(turn.bias.token.load() == 0)
      enterAndLeave(turn, times: 1)
      #expect(turn.bias.token.load() == owned)
    }
  }

  @Test("the first use by another thread revokes the bias for ever")
  func revoked() {
    withTurn(patience: 1) { turn in
      enterAndLeave(turn, times: 2)
      onAnotherThread {
        #expect(!turn.enter(as: 1) || owned == 0)
        turn.post(7)
        var delivered: [Int] = []
        turn.deliverWaiting(as: 1) { delivered.append($0) }
        #expect(delivered == [7])
      }
      #expect(turn.bias.token.load() == 0)
      enterAndLeave(turn, times: 2 * Int(Bias.patience))
      #expect(turn.bias.token.load() == 0 || owned == 0)
    }
  }

  @Test("passThrough(as:) returns true only if nobody has the turn and no item waits, whatever the bias")
  func passThrough() {
    for patience in [1, Bias.patience] {
      withTurn(patience: patience) { turn in
        #expect(turn.passThrough(as: 1))
        enterAndLeave(turn, times: 2)
        #expect(turn.passThrough(as: 1))
        #expect(turn.enter(as: 1))
        #expect(!turn.passThrough(as: 1))
        onAnotherThread { #expect(!turn.passThrough(as: 1)) }
        turn.leave()
        onAnotherThread { #expect(turn.passThrough(as: 1)) }
        // Posted and not delivered yet, although nobody has the turn.
        turn.post(7)
        #expect(!turn.passThrough(as: 1))
        var delivered: [Int] = []
        turn.deliverWaiting(as: 1) { delivered.append($0) }
        #expect(delivered == [7])
        #expect(turn.passThrough(as: 1))
      }
    }
  }

  @Test(
    "an item posted by another thread while the owner is inside is left to the owner; the bias is revoked")
  func inside() {
    withTurn(patience: 1) { turn in
      enterAndLeave(turn, times: 1)
      #expect(turn.enter(as: 1))
      onAnotherThread {
        turn.post(7)
        turn.deliverWaiting(as: 1) { _ in Issue.record("delivered while the owner has the turn") }
      }
      turn.leave()
      #expect(turn.isWaiting)
      #expect(turn.bias.token.load() == 0)
      var delivered: [Int] = []
      turn.deliverWaiting(as: 1) { delivered.append($0) }
      #expect(delivered == [7])
    }
  }

  @Test("the owner cannot enter twice; what it posts inside is delivered in order after it has left")
  func nested() {
    withTurn(patience: 1) { turn in
      enterAndLeave(turn, times: 1)
      #expect(turn.enter(as: 1))
      #expect(!turn.enter(as: 1))
      for item in 1...3 { turn.post(item) }
      turn.deliverWaiting(as: 1) { _ in Issue.record("delivered inside") }
      turn.leave()
      #expect(!turn.enter(as: 1))
      var delivered: [Int] = []
      turn.deliverWaiting(as: 1) { delivered.append($0) }
      #expect(delivered == [1, 2, 3])
      #expect(turn.bias.token.load() == owned)
    }
  }

  @Test("published() returns the owner's mark to any thread, and revokes the bias for another one")
  func published() {
    withTurn(patience: 1) { turn in
      enterAndLeave(turn, times: 1)
      #expect(turn.enter(as: 4097))
      #expect(turn.bias.published() == 4097)
      // The owner reads it without revoking the bias.
      #expect(turn.bias.token.load() == owned || owned == 0)
      onAnotherThread { #expect(turn.bias.published() == 4097) }
      turn.leave()
      onAnotherThread { #expect(turn.bias.published() == 0) }
      #expect(turn.bias.token.load() == 0)
      enterAndLeave(turn, times: 1)
    }
  }
}
