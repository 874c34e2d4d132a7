// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The groups whose lifetime ended during a delivery: they end right after it, before anything queued.
@usableFromInline
final class GroupEndings<Key>: @unchecked Sendable {
  // Unchecked: the keys belong to the holder of the turn.
  @exclusivity(unchecked) @usableFromInline var keys = FIFO<Key>()

  @inlinable init() {}

  /// Notes, inside a delivery, that a group is over.
  @inlinable
  func note(_ key: Key) { keys.append(key) }

  /// Runs a delivery, and then ends the groups that are over.
  @inlinable
  func delivering(_ something: () -> Void, end: (Key) -> Void) {
    something()
    while let key = keys.popFirst() { end(key) }
  }
}
