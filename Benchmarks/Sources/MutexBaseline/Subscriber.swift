// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// One registered pair of callbacks. Shared by the three forms of the baseline.
public final class Subscriber<Value>: Sendable {
  @usableFromInline let next: @Sendable (Value) -> Void
  @usableFromInline let completed: @Sendable () -> Void

  // The list a sender iterates outside the lock may be older than a dispose(); this flag closes the gap.
  @usableFromInline let isActive = Atomic<Bool>(true)

  @inlinable
  init(next: @escaping @Sendable (Value) -> Void, completed: @escaping @Sendable () -> Void) {
    self.next = next
    self.completed = completed
  }

  @inlinable
  func receive(_ value: Value) {
    if isActive.load(ordering: .relaxed) { next(value) }
  }

  @inlinable
  func receiveCompletion() {
    if deactivate() { completed() }
  }

  /// Returns whether this call was the one that ended the subscriber.
  @inlinable
  func deactivate() -> Bool {
    isActive.exchange(false, ordering: .acquiringAndReleasing)
  }
}
