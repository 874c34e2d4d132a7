// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What the lock of a subject protects. Its array doubles as the snapshot senders iterate: copying it costs
/// one retain, and a change made while a copy is out there copies the storage first.
public struct SubscriberList<Value>: Sendable {
  @usableFromInline var subscribers: ContiguousArray<Subscriber<Value>> = []
  @usableFromInline var isCompleted = false

  @inlinable
  init() {}

  /// Returns false if the subject has completed and takes nobody any more.
  @inlinable
  mutating func add(_ subscriber: Subscriber<Value>) -> Bool {
    if isCompleted { return false }
    subscribers.append(subscriber)
    return true
  }

  /// Looks from the end, because short-lived subscribers are the young ones.
  @inlinable
  mutating func remove(_ subscriber: Subscriber<Value>) {
    guard let index = subscribers.lastIndex(where: { $0 === subscriber }) else { return }
    subscribers.remove(at: index)
  }

  /// Seals the list and returns whom to tell.
  @inlinable
  mutating func complete() -> ContiguousArray<Subscriber<Value>> {
    isCompleted = true
    defer { subscribers = [] }
    return subscribers
  }
}
