// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Round loop
//
// Guarantees: work that is enqueued again at its own end does not grow the stack, even on a scheduler that
// runs work inside `enqueue`: there the rounds are a loop.
//
// State: the thread that is inside `enqueue` for the next round; its lowest bit is set when the work was run
// inside that call.
//
// Invariants:
//  1. Rounds do not overlap, and the work is enqueued at most once at a time. The owner ensures that.
//  2. A thread finds its own mark only while it is inside `enqueue`: it sets the mark before the call and
//     removes it afterwards; if the work has started on another thread meanwhile, that thread's mark or 0 is
//     there, and is left alone.
//
// Orderings: the word tells a thread only what that thread did itself. What happens in a round is ordered by
// the owner.

/// Enqueues the same work round after round, in a loop where that would nest.
struct RoundLoop {
  let enqueuer: AtomicWord

  /// - Parameter enqueuer: a word that the work owns, zero at first.
  init(_ enqueuer: AtomicWord) { self.enqueuer = enqueuer }

  /// For the work's `run()`: whether the loop in ``next(scheduling:performing:)``, further up the stack,
  /// performs the round. If so, `run` returns.
  func isLeftToLoop() -> Bool {
    let thread = weir_thread()
    // By invariants 1 and 2 no other thread changes a mark that this thread finds here.
    guard enqueuer.loadRelaxed() == thread else { return false }
    enqueuer.storeRelaxed(thread | 1)
    return true
  }

  /// Schedules the next round at the end of one, and performs the rounds that the scheduler runs inside that
  /// call. The first round is enqueued as any other work: a scheduler that runs it at once does so in the
  /// context in which it runs all its work.
  ///
  /// - Parameters:
  ///   - schedule: hands the work to the scheduler; the owner retains the work during the call.
  ///   - perform: runs one round. True if there is to be another one.
  func next(scheduling schedule: () -> Void, performing perform: () -> Bool) {
    let thread = weir_thread()
    repeat {
      enqueuer.storeRelaxed(thread)
      schedule()
      if enqueuer.compareExchange(thread, 0) { return }
    } while enqueuer.compareExchange(thread | 1, 0) && perform()
  }
}
