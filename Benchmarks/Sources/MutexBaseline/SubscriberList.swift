// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What the lock of a subject protects. Its array is also the snapshot over which senders iterate: copying it
/// costs one retain, and a change made while there is a copy copies the storage first.
public struct SubscriberList<Value>: Sendable {
  @usableFromInline var subscribers: ContiguousArray<Subscriber<Value>> = []
  @usableFromInline var isCompleted = false

  @inlinable
  init() {}

  /// Adds a subscriber. Returns false if the subject has completed and accepts no more.
  @inlinable
  mutating func add(_ subscriber: Subscriber<Value>) -> Bool {
    if isCompleted { return false }
    subscribers.append(subscriber)
    return true
  }

  /// Searches from the end, because short-lived subscribers are among the newest.
  @inlinable
  mutating func remove(_ subscriber: Subscriber<Value>) {
    guard let index = subscribers.lastIndex(where: { $0 === subscriber }) else { return }
    subscribers.remove(at: index)
  }

  /// Closes the list, and returns the subscribers to complete.
  @inlinable
  mutating func complete() -> ContiguousArray<Subscriber<Value>> {
    isCompleted = true
    defer { subscribers = [] }
    return subscribers
  }
}
