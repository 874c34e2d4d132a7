// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Counts the values that a ``Backlog`` has dropped because it was full.
///
/// ```swift
/// let drops = DropCounter()
/// let slow = events.observe(
///   on: scheduler, waiting: .bounded(1_024, onOverflow: .dropOldest, countingIn: drops))
/// ```
///
/// A program that drops values wants to tell how many it did, to its metrics or to the reader who missed
/// them. One counter may serve any number of signals and of their subscriptions; it counts for all of them.
/// What is dropped with the end of a signal, by ``Overflow/fail(_:)`` or by disposal, is not counted. A drop
/// costs one atomic addition more; what is not dropped, nothing.
///
/// ReactiveObjC has no such thing.
public final class DropCounter: @unchecked Sendable {
  // Unchecked: one word, which is touched by atomic operations only. It orders nothing, so they are relaxed.
  @exclusivity(unchecked) private var word: UInt64 = 0

  /// A counter that has counted nothing.
  public init() {}

  private var place: AtomicWord { AtomicWord(property: 0, of: self) }

  /// How many values have been dropped. From any thread; those that other threads drop meanwhile may be
  /// missing.
  public var count: Int { Int(truncatingIfNeeded: place.loadRelaxed()) }

  @usableFromInline
  func countOne() { place.addRelaxed(1) }
}
