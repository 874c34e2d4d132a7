// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Ends the subscriptions of an operator. Calling it again does nothing.
public typealias MutexDisposal = @Sendable () -> Void

/// The state of an operator, under a recursive lock that its subscriptions share.
///
/// As with `MutexInsideSubject`, callbacks run inside the lock: that serialises them when several sources
/// send at once, and has the same restrictions for callbacks.
@usableFromInline
final class Locked<State: Sendable>: Sendable {
  @usableFromInline let lock: RecursiveLock<State>

  @usableFromInline
  init(_ initial: State) { lock = RecursiveLock(initial) }

  deinit { lock.destroy() }

  /// `body` gets a pointer instead of an `inout`, since a callback in it may call this again.
  @inlinable
  func withLock(_ body: (_ state: UnsafeMutablePointer<State>) -> Void) {
    lock.lock()
    defer { lock.unlock() }
    body(lock.value)
  }
}
