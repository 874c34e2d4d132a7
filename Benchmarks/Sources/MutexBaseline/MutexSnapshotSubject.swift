// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// As `MutexCopySubject`, but walks the copy without counting references to its elements: the strongest form
/// of the baseline. The copy of the array keeps every element alive, so the walk may borrow them.
///
/// No separate snapshot object is built. The array is reference-counted and immutable while shared, so it is
/// the snapshot already, and subscribe and dispose still change it in place when no sender holds it.
public final class MutexSnapshotSubject<Value: Sendable>: MutexSubject {
  @usableFromInline let list = Mutex(SubscriberList<Value>())

  /// Creates a subject without subscribers.
  @inlinable
  public init() {}

  /// Delivers `value` to everyone subscribed at the moment of the call.
  @inlinable
  public func send(_ value: Value) {
    let current = list.withLock { $0.subscribers }
    current.withUnsafeBufferPointer { owned in
      // Unmanaged<T> is laid out as one strong reference; `current` owns the references during this call.
      owned.withMemoryRebound(to: Unmanaged<Subscriber<Value>>.self) { borrowed in
        for subscriber in borrowed {
          subscriber._withUnsafeGuaranteedRef { $0.receive(value) }
        }
      }
    }
  }

  /// Runs `body` under the lock.
  @inlinable
  public func withList<Result: Sendable>(_ body: (inout SubscriberList<Value>) -> Result) -> Result {
    list.withLock { body(&$0) }
  }
}
