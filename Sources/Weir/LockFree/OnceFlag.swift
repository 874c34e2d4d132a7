// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Once flag
//
// Guarantees: of any number of threads that claim it, exactly one succeeds. That thread alone then moves out
// and uses what the flag guards (an action, a payload), and releases it right after.
//
// Orderings: the claim is one exchange, so the winner has seen all that was done to the guarded object before
// it was shared. An acquire load comes first, so that the second and every later claim writes nothing.

/// A word that one caller may claim.
@frozen @usableFromInline
struct OnceFlag {
  @usableFromInline let word: AtomicWord
  @inlinable @inline(__always) init(_ word: AtomicWord) { self.word = word }

  @inlinable @inline(__always) var isClaimed: Bool { word.load() != 0 }
  @inlinable @inline(__always) func claim() -> Bool { word.loadAcquire() == 0 && word.exchange(1) == 0 }
}
