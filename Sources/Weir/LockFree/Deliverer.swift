// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Deliverer
//
// Guarantees: a thread that asks is told whether it is inside of a delivery, that is, was called by the one
// that has noted itself here.
//
// State: 0, or the number of the thread that is delivering. Only the holder of the delivery's turn writes.
//
// Orderings: none. A thread asks only whether the word is its own number. It is that from when the thread has
// noted itself until it has written 0, which nobody does for it, and never else: others write other numbers,
// and the turn has all they wrote before come before. (When a thread has ended, a later one may get its
// number; the first one is in no delivery any more.)

/// A word that says which thread is delivering.
@frozen @usableFromInline
struct Deliverer {
  @usableFromInline let word: AtomicWord
  @inlinable @inline(__always) init(_ word: AtomicWord) { self.word = word }

  /// Whether this thread is inside of a delivery.
  @inlinable @inline(__always) var isHere: Bool { word.loadRelaxed() == weir_thread() }

  /// For the holder of the turn, around what it delivers.
  @inlinable @inline(__always) func begin() { word.storeRelaxed(weir_thread()) }
  @inlinable @inline(__always) func end() { word.storeRelaxed(0) }
}
