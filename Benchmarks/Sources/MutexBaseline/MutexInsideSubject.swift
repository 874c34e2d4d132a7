// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Calls inside the lock: concurrent sends are serialised, and nobody is called after `dispose()` returned,
/// on any thread.
///
/// The lock is recursive, because a callback that disposes its own subscription is everyday code and would
/// deadlock under any other. A nested send therefore delivers at once, before the outer one has reached
/// later subscribers; a callback that waits for another sender deadlocks. Both are inherent in this form.
public final class MutexInsideSubject<Value: Sendable>: MutexSubject {
  @usableFromInline let list = RecursiveLock(SubscriberList<Value>())

  /// Creates a subject without subscribers.
  @inlinable
  public init() {}

  deinit { list.destroy() }

  /// Delivers `value` to everyone subscribed at the moment of the call.
  @inlinable
  public func send(_ value: Value) {
    list.lock()
    defer { list.unlock() }
    // A copy, since a callback may change the list while it is walked.
    let current = list.value.pointee.subscribers
    for subscriber in current { subscriber.receive(value) }
  }

  /// Completes all subscribers, inside the lock, and closes the subject.
  @inlinable
  public func complete() {
    list.lock()
    defer { list.unlock() }
    let last = list.value.pointee.complete()
    for subscriber in last { subscriber.receiveCompletion() }
  }

  /// Runs `body` under the lock.
  @inlinable
  public func withList<Result: Sendable>(_ body: (inout SubscriberList<Value>) -> Result) -> Result {
    list.lock()
    defer { list.unlock() }
    return body(&list.value.pointee)
  }
}
