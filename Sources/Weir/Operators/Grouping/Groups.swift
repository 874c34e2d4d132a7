// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The open groups of one run.
@frozen @usableFromInline
struct Groups<Key: Hashable, Value: Sendable, Failure: Error> {
  @frozen @usableFromInline
  struct Group {
    @usableFromInline let subject: Subject<Value, Failure>
    /// Its position among all groups that were opened.
    @usableFromInline let ordinal: Int

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
  mutating func group(of key: Key) -> (Subject<Value, Failure>, isNew: Bool) {
    if let known = byKey[key]?.subject { return (known, false) }
    let subject = Subject<Value, Failure>()
    byKey[key] = Group(subject, ordinal: openedCount)
    openedCount += 1
    return (subject, true)
  }

  /// Removes the group of a key, so that the key's next value opens another one. Nil if none is open.
  @inlinable
  mutating func close(_ key: Key) -> Subject<Value, Failure>? { byKey.removeValue(forKey: key)?.subject }

  /// The subjects of the open groups, in the order in which they were opened.
  @inlinable var inOrder: [Subject<Value, Failure>] {
    byKey.values.sorted { $0.ordinal < $1.ordinal }.map(\.subject)
  }
}
