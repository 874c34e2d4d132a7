// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Ends what an operator has subscribed to. Calling it again does nothing.
public typealias MutexDisposal = @Sendable () -> Void

/// What an operator remembers, under a recursive lock that its subscriptions share.
///
/// As with `MutexInsideSubject`, callbacks run inside the lock: that keeps them apart when several sources
/// send at once, and what such a callback may not do is the same.
@usableFromInline
final class Locked<State: Sendable>: Sendable {
  @usableFromInline let lock: RecursiveLock<State>

  @usableFromInline
  init(_ initial: State) { lock = RecursiveLock(initial) }

  deinit { lock.destroy() }

  /// A pointer rather than an `inout`: a callback in `body` may come back in here.
  @inlinable
  func withLock(_ body: (_ state: UnsafeMutablePointer<State>) -> Void) {
    lock.lock()
    defer { lock.unlock() }
    body(lock.value)
  }
}
