// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a hot source remembers of its values. Called by the holder of the turn.
@usableFromInline
protocol BroadcastMemory: Sendable {
  associatedtype Value: Sendable
  /// Remembers a value that is about to be delivered; does nothing after ``seal()``.
  func remember(_ value: Value)
  /// Says that there will be no more values.
  func seal()
}

/// The memory of a source that has none.
@frozen @usableFromInline
struct NoMemory<Value: Sendable>: BroadcastMemory {
  @inlinable init() {}
  @inlinable @inline(__always) func remember(_ value: Value) {}
  @inlinable func seal() {}
}
