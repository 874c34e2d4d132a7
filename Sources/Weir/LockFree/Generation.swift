// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Generation
//
// Guarantees: of runs that replace one another, any thread can tell an older one from the newest. Nobody
// waits for an older one to stop.
//
// Invariants:
//  1. The number grows by one read-modify-write for each run, so no two runs have the same. 0 is none.
//  2. What a run sends carries its number, and the code that passes it on compares the two: for a value in
//     the turn, for a failure before that. So when `begin` has returned, no event of an older run is passed
//     on, unless the comparison was made before.
//
// Orderings: nothing but the number is read. What belongs to a run is published by the turn through which its
// events travel.

/// The number of the newest of a series of runs, in a word of its owner, zero at first. It only grows.
@frozen @usableFromInline
struct Generation {
  @usableFromInline let number: AtomicWord

  @inlinable @inline(__always)
  init(_ number: AtomicWord) { self.number = number }

  @inlinable var current: UInt64 { number.load() }
  @inlinable func isCurrent(_ generation: UInt64) -> Bool { number.load() == generation }

  /// Starts a newer run, and returns its number.
  @inlinable func begin() -> UInt64 { number.add(1) + 1 }
}
