// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Repeated work
//
// Guarantees: work that is enqueued again at its own end does not grow the stack, also on a scheduler that
// runs work inside `enqueue`: there it is a loop.
//
// State: the thread that is inside `enqueue` for the next round; its lowest bit is set when the work was run
// in there.
//
// Invariants:
//  1. Rounds do not overlap, and the work is enqueued at most once at a time. The owner sees to that.
//  2. A thread finds its own mark only while it is inside `enqueue`: it is put there before, and taken away
//     after; if the work has begun on another thread meanwhile, that one's mark or 0 is there, and is left
//     alone.
//
// Orderings: the word tells a thread only what it did itself. What happens in a round is ordered by the
// owner.

/// Enqueues the same work round after round.
struct RepeatedWork {
  let enqueuer: AtomicWord

  /// - Parameter enqueuer: a word that the work owns, zero at first.
  init(_ enqueuer: AtomicWord) { self.enqueuer = enqueuer }

  /// For the work's `run()`: whether the round belongs to the loop below, further up the stack. Then `run`
  /// returns.
  func isLeftToLoop() -> Bool {
    let thread = weir_thread()
    // By invariants 1 and 2 nobody else changes a mark that this thread finds here.
    guard enqueuer.loadRelaxed() == thread else { return false }
    enqueuer.storeRelaxed(thread | 1)
    return true
  }

  /// Has the next round scheduled at the end of one, and performs those that the scheduler has run in there.
  /// The first round is enqueued as any other work: a scheduler that runs it at once does so where it runs
  /// what is its own.
  ///
  /// - Parameters:
  ///   - schedule: hands the work to the scheduler; its owner keeps it during the call.
  ///   - perform: one round. True if there is to be another one.
  func next(scheduling schedule: () -> Void, performing perform: () -> Bool) {
    let thread = weir_thread()
    repeat {
      enqueuer.storeRelaxed(thread)
      schedule()
      if enqueuer.compareExchange(thread, 0) { return }
    } while enqueuer.compareExchange(thread | 1, 0) && perform()
  }
}
