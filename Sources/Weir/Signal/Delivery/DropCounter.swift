// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Counts the values that a ``Backlog`` has dropped because it was full.
///
/// ```swift
/// let drops = DropCounter()
/// let slow = events.observe(
///   on: scheduler, waiting: .bounded(1_024, onOverflow: .dropOldest, countingIn: drops))
/// ```
///
/// A program that drops values usually reports how many, in its metrics or to the receiver that missed them.
/// One counter may serve any number of signals and subscriptions; it counts for all of them. It also counts
/// the values that ``SignalConvertible/observe(on:_:waiting:failures:)`` has not delivered when its scheduler
/// was shut down. Values that are dropped when a signal ends, by ``Overflow/fail(_:)`` or by disposal, are
/// not counted. A dropped value costs one atomic addition more; other values cost nothing.
///
/// ReactiveObjC has no such thing.
public final class DropCounter: @unchecked Sendable {
  // Unchecked: one word, which is accessed by atomic operations only. They are relaxed, as it orders nothing.
  @exclusivity(unchecked) private var word: UInt64 = 0

  /// A counter at zero.
  public init() {}

  private var place: AtomicWord { AtomicWord(property: 0, of: self) }

  /// The number of values dropped so far. May be read from any thread; values that other threads are dropping
  /// meanwhile may be missing.
  public var count: Int { Int(truncatingIfNeeded: place.loadRelaxed()) }

  @usableFromInline
  func count(_ values: Int) { place.addRelaxed(UInt64(values)) }
}
