// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Keeps the last values in a ring under a lock, and replays them inside it: the usual form, since no sender
/// may come between the last replayed value and the first live one. Live values are delivered outside the
/// lock, as in `MutexCopySubject`.
///
/// The lock is recursive, because a callback may send, subscribe or dispose while values are replayed to it.
/// Every sender waits for a replay in progress, and a callback that waits for another sender deadlocks.
public final class MutexReplaySubject<Value: Sendable>: SubscriberListOwner {
  @usableFromInline let state: RecursiveLock<ReplayState<Value>>

  /// Creates a subject without subscribers that stores the last `capacity` values, at least one.
  @inlinable
  public init(capacity: Int) { state = RecursiveLock(ReplayState(capacity: capacity)) }

  deinit { state.destroy() }

  /// Stores `value`, and delivers it to everyone subscribed at the moment of the call.
  @inlinable
  public func send(_ value: Value) {
    state.lock()
    if state.value.pointee.list.isCompleted { return state.unlock() }
    state.value.pointee.history.append(value)
    let current = state.value.pointee.list.subscribers
    state.unlock()
    for subscriber in current { subscriber.receive(value) }
  }

  /// Replays the stored values, and adds a subscriber.
  @inlinable
  public func subscribe(
    next: @escaping @Sendable (Value) -> Void, completed: @escaping @Sendable () -> Void = {}
  ) -> MutexSubscription<MutexReplaySubject> {
    let subscriber = Subscriber(next: next, completed: completed)
    state.lock()
    // Read again in every iteration, since the callback may send.
    var position = 0
    while let value = state.value.pointee.history.value(at: &position) { subscriber.receive(value) }
    let isListed = state.value.pointee.list.add(subscriber)
    state.unlock()
    if !isListed { subscriber.receiveCompletion() }
    return MutexSubscription(subject: self, subscriber: subscriber)
  }

  /// Runs `body` under the lock.
  @inlinable
  public func withList<Result: Sendable>(_ body: (inout SubscriberList<Value>) -> Result) -> Result {
    state.lock()
    defer { state.unlock() }
    return body(&state.value.pointee.list)
  }
}

/// What the lock of a replay subject protects.
@usableFromInline
struct ReplayState<Value: Sendable>: Sendable {
  @usableFromInline var history: RecentValues<Value>
  @usableFromInline var list = SubscriberList<Value>()

  @inlinable
  init(capacity: Int) { history = RecentValues(capacity: capacity) }
}

/// A ring of the last values.
@usableFromInline
struct RecentValues<Value: Sendable>: Sendable {
  @usableFromInline let capacity: Int
  @usableFromInline var ring: ContiguousArray<Value> = []
  /// The place for the next value, and so that of the oldest one if the ring is full.
  @usableFromInline var end = 0
  /// How many values there have been.
  @usableFromInline var count = 0

  @inlinable
  init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
  }

  @inlinable
  mutating func append(_ value: Value) {
    if ring.count < capacity { ring.append(value) } else { ring[end] = value }
    end = end + 1 == capacity ? 0 : end + 1
    count += 1
  }

  /// The value at a position, or the oldest one if that has been displaced; advances the position. Nil if
  /// there is no further value.
  @inlinable
  func value(at position: inout Int) -> Value? {
    if position == count { return nil }
    position = max(position, count - capacity)
    // Counted from the end of the ring backwards, without the division that a remainder would cost.
    let index = end - (count - position)
    position += 1
    return ring[index < 0 ? index + ring.count : index]
  }
}
