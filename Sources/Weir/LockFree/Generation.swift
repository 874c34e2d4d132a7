// Part of Weir. SPDX-License-Identifier: Apache-2.0

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
