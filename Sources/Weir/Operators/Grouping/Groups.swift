// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The open groups of one run.
@frozen @usableFromInline
struct Groups<Key: Hashable, Value: Sendable, Failure: Error> {
  @frozen @usableFromInline
  struct Group {
    @usableFromInline let subject: Subject<Value, Failure>
    /// Its position among all groups that were opened.
    @usableFromInline let ordinal: Int
    /// Set if the group ends when it is idle.
    @usableFromInline var idle: IdleGroup?

    @inlinable
    init(_ subject: Subject<Value, Failure>, ordinal: Int) {
      self.subject = subject
      self.ordinal = ordinal
    }
  }

  @usableFromInline var byKey: [Key: Group] = [:]
  @usableFromInline var openedCount = 0

  @inlinable init() {}

  /// The group of a key, which is opened if there is none.
  @inlinable
  mutating func group(of key: Key) -> (Group, isNew: Bool) {
    if let known = byKey[key] { return (known, false) }
    let group = Group(Subject<Value, Failure>(), ordinal: openedCount)
    byKey[key] = group
    openedCount += 1
    return (group, true)
  }

  /// Removes the group of a key, so that the key's next value opens another one. Nil if none is open.
  @inlinable
  mutating func close(_ key: Key) -> Group? { byKey.removeValue(forKey: key) }

  /// The subjects of the open groups, in the order in which they were opened.
  @inlinable var inOrder: [Subject<Value, Failure>] {
    byKey.values.sorted { $0.ordinal < $1.ordinal }.map(\.subject)
  }
}
