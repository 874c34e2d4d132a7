// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A source that has its subscribers in a list under a lock.
public protocol SubscriberListOwner<Value>: AnyObject, Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// Runs `body` under the lock.
  func withList<Result: Sendable>(_ body: (inout SubscriberList<Value>) -> Result) -> Result
}

extension SubscriberListOwner {
  /// Completes all subscribers, outside the lock, and closes the list. Values stored for later subscribers
  /// stay.
  @inlinable
  public func complete() {
    let last = withList { $0.complete() }
    for subscriber in last { subscriber.receiveCompletion() }
  }
}

/// A subject protected by a lock, as in most libraries. The three forms differ in what `send` does with the
/// list, and in whether callbacks run inside the lock; everything else is here.
public protocol MutexSubject<Value>: SubscriberListOwner {
  /// Creates a subject without subscribers.
  init()

  /// Delivers `value` to everyone subscribed at the moment of the call.
  func send(_ value: Value)

  /// Completes all subscribers and closes the subject: later sends are ignored, later subscribers complete at
  /// once.
  func complete()
}

extension MutexSubject {
  /// Adds a subscriber.
  @inlinable
  public func subscribe(
    next: @escaping @Sendable (Value) -> Void,
    completed: @escaping @Sendable () -> Void = {}
  ) -> MutexSubscription<Self> {
    let subscriber = Subscriber(next: next, completed: completed)
    if !withList({ $0.add(subscriber) }) { subscriber.receiveCompletion() }
    return MutexSubscription(subject: self, subscriber: subscriber)
  }
}

/// The right to end one subscription. Dropping it ends nothing.
///
/// A value rather than an object: it costs no allocation and forms no cycle with the subject's list.
public struct MutexSubscription<Subject: SubscriberListOwner>: Sendable {
  @usableFromInline let subject: Subject
  @usableFromInline let subscriber: Subscriber<Subject.Value>

  @inlinable
  init(subject: Subject, subscriber: Subscriber<Subject.Value>) {
    self.subject = subject
    self.subscriber = subscriber
  }

  /// Ends the subscription. Calling it again does nothing.
  @inlinable
  public func dispose() {
    if subscriber.deactivate() { subject.withList { $0.remove(subscriber) } }
  }
}
