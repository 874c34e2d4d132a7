// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The number of the newest of a series of runs. It only grows.
@usableFromInline
final class Generation: @unchecked Sendable {
  // Unchecked: the word is atomic.
  @exclusivity(unchecked) @usableFromInline var word: UInt64 = 0

  @inlinable init() {}

  @inlinable var number: AtomicWord { AtomicWord(property: 0, of: self) }
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
