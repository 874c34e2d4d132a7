// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The ends of groups that are told inside of a delivery: they come right after it, before whatever waits.
@usableFromInline
final class GroupEndings<Key>: @unchecked Sendable {
  // Unchecked: the word is atomic, and the keys belong to the thread that is delivering.
  @exclusivity(unchecked) @usableFromInline var delivererWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var keys = FIFO<Key>()

  @inlinable init() {}

  @inlinable var deliverer: Deliverer { Deliverer(AtomicWord(property: 0, of: self)) }

  /// Notes a group that is over, if this thread is delivering.
  @inlinable
  func note(_ key: Key) -> Bool {
    guard deliverer.isHere else { return false }
    keys.append(key)
    return true
  }

  /// Delivers something, and then has the groups end that are over.
  @inlinable
  func delivering(_ something: () -> Void, end: (Key) -> Void) {
    deliverer.begin()
    something()
    while let key = keys.popFirst() { end(key) }
    deliverer.end()
  }
}
