// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a hot source remembers of its values. Called by the holder of the turn, except for the limit.
@usableFromInline
protocol BroadcastMemory: Sendable {
  associatedtype Value: Sendable
  /// The limit of a value that is posted now: it goes to subscribers with a lower ordinal. Where values are
  /// replayed that is all, as a later subscriber gets it either way; otherwise the list tells.
  func limit(in list: SubscriberList) -> UInt64
  /// Remembers a value that is about to be delivered; does nothing after ``seal()``.
  func remember(_ value: Value)
  /// Says that there will be no more values.
  func seal()
}

/// The memory of a source that has none.
@frozen @usableFromInline
struct NoMemory<Value: Sendable>: BroadcastMemory {
  @inlinable init() {}
  @inlinable func limit(in list: SubscriberList) -> UInt64 { list.cell.nextOrdinal }
  @inlinable @inline(__always) func remember(_ value: Value) {}
  @inlinable func seal() {}
}
