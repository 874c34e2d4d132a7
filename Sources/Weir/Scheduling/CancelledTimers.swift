// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Cancelled timers
//
// Guarantees: when nobody is cancelling timers, and their thread is about to park, no more cancelled ones are
// in its heap than the limit says: half of all that are there, or `least`.
//
// Invariants:
//  1. `count` is the number of cancelled timers that may still be in the heap; the thread resets it before it
//     looks for them. `isPurgeDue` is set by the thread that wakes this one for that, and cleared by this one
//     before it looks.
//  2. A thread that cancels marks the timer, counts, and then reads the limit. The thread of the timers
//     stores the limit, which firing and purging lower, and then reads the count: one of them finds that a
//     purge is due. (So after a purge it reads the count once more.)
//
// Orderings: 2 is store buffering: sequentially consistent. In 1 both sides are read-modify-writes of
// `count`.

/// How many cancelled timers there may be in the heap of the timers' thread, and when to drop them.
struct CancelledTimers: Sendable {
  /// A purge is not worthwhile for fewer cancelled timers than this.
  private let least: UInt64
  private let count: AtomicWord
  private let limit: AtomicWord
  private let isPurgeDue: AtomicWord

  /// - Parameters:
  ///   - least: the lowest limit.
  ///   - count: a word, zero at first.
  ///   - others: two more.
  init(least: UInt64, count: UnsafeMutablePointer<UInt64>, others: UnsafeMutablePointer<UInt64>) {
    self.least = least
    self.count = AtomicWord(count)
    limit = AtomicWord(others)
    isPurgeDue = AtomicWord(others + 1)
  }

  /// Stores the first limit, before any other thread knows of the words.
  func begin() { limit.storeRelaxed(least) }

  /// Counts a timer that was cancelled. True if the caller must wake the thread of the timers.
  func note() -> Bool {
    count.add(1) >= limit.load() && isPurgeDue.loadRelaxed() == 0 && isPurgeDue.exchange(1) == 0
  }

  /// For the thread of the timers, whenever it has changed the heap or was woken: drops the cancelled ones
  /// if there are too many. True if there were: then those that were cancelled meanwhile may be too many for
  /// what is left, and it has to be called once more.
  func purge<Entry>(_ heap: inout Heap<Entry>, _ isCancelled: (Entry) -> Bool) -> Bool {
    let most = max(least, UInt64(heap.count) / 2)
    _ = limit.exchange(most)
    guard isPurgeDue.load() == 1 || count.load() > most else { return false }
    _ = isPurgeDue.exchange(0)
    _ = count.exchange(0)
    heap.removeAll(where: isCancelled)
    return true
  }
}
