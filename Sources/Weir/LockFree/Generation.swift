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

  /// Makes run `generation` the newest, unless a newer one has started.
  @usableFromInline
  func advance(to generation: UInt64) {
    while true {
      let now = number.load()
      if now >= generation || number.compareExchange(now, generation) { return }
    }
  }
}

/// A generation without an owner that has room for its word.
@usableFromInline
final class SharedGeneration: @unchecked Sendable {
  // Unchecked: the word is atomic.
  @exclusivity(unchecked) private var word: UInt64 = 0

  @inlinable init() {}

  @inlinable var number: Generation { Generation(AtomicWord(property: 0, of: self)) }
}
