// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// A value under a lock, and subscribers that are called outside it, as in `MutexCopySubject` and for the
/// same reasons.
///
/// A new subscriber gets the value outside the lock as well; a sender on another thread may overtake that, as
/// it may overtake another sender.
public final class MutexCurrentValue<Value: Sendable>: SubscriberListOwner {
  @usableFromInline let state: Mutex<CurrentState<Value>>

  /// Creates a current value without subscribers.
  @inlinable
  public init(_ value: Value) { state = Mutex(CurrentState(value)) }

  /// The value set last.
  @inlinable
  public var value: Value { state.withLock { $0.value } }

  /// Sets the value, and delivers it to everyone subscribed at the moment of the call.
  @inlinable
  public func send(_ value: Value) {
    let current = state.withLock { state in
      if !state.list.isCompleted { state.value = value }
      return state.list.subscribers
    }
    for subscriber in current { subscriber.receive(value) }
  }

  /// Adds a subscriber, and delivers the value to it.
  @inlinable
  public func subscribe(
    next: @escaping @Sendable (Value) -> Void, completed: @escaping @Sendable () -> Void = {}
  ) -> MutexSubscription<MutexCurrentValue> {
    let subscriber = Subscriber(next: next, completed: completed)
    let (isListed, value) = state.withLock { ($0.list.add(subscriber), $0.value) }
    subscriber.receive(value)
    if !isListed { subscriber.receiveCompletion() }
    return MutexSubscription(subject: self, subscriber: subscriber)
  }

  /// Runs `body` under the lock.
  @inlinable
  public func withList<Result: Sendable>(_ body: (inout SubscriberList<Value>) -> Result) -> Result {
    state.withLock { body(&$0.list) }
  }
}

/// What the lock of a current value protects.
@usableFromInline
struct CurrentState<Value: Sendable>: Sendable {
  @usableFromInline var value: Value
  @usableFromInline var list = SubscriberList<Value>()

  @inlinable
  init(_ value: Value) { self.value = value }
}
