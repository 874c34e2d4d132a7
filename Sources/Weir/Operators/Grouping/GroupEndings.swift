// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The ends of groups that are told inside of a delivery: they come right after it, before whatever waits.
@usableFromInline
final class GroupEndings<Key>: @unchecked Sendable {
  // Unchecked: the keys belong to the holder of the turn.
  @exclusivity(unchecked) @usableFromInline var keys = FIFO<Key>()

  @inlinable init() {}

  /// Notes a group that is over, inside of a delivery.
  @inlinable
  func note(_ key: Key) { keys.append(key) }

  /// Delivers something, and then has the groups end that are over.
  @inlinable
  func delivering(_ something: () -> Void, end: (Key) -> Void) {
    something()
    while let key = keys.popFirst() { end(key) }
  }
}
