// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Once flag
//
// Guarantees: of any number of threads that claim it, exactly one is told so. What the flag guards (an
// action, a payload) is then moved out and used by that thread alone, and is released right after.
//
// Orderings: the claim is one exchange, so the winner has seen all that was done to the guarded thing before
// it was shared. Asking first is a plain load: the second and every later claim costs no write.

/// A word that one caller may claim.
@frozen @usableFromInline
struct OnceFlag {
  @usableFromInline let word: AtomicWord
  @inlinable @inline(__always) init(_ word: AtomicWord) { self.word = word }

  @inlinable @inline(__always) var isClaimed: Bool { word.load() != 0 }
  @inlinable @inline(__always) func claim() -> Bool { word.loadAcquire() == 0 && word.exchange(1) == 0 }
}
