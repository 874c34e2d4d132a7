// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A closure called with a state once, or cancelled, whichever is first. Both are released then.
@usableFromInline
final class ScheduledAction<State>: ScheduledWork, Disposable, @unchecked Sendable {
  // Unchecked: `state` and `action` belong to the claimer of the flag.
  @usableFromInline var claimWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var state: State?
  @exclusivity(unchecked) @usableFromInline var action: (@Sendable (State) -> Void)?

  @inlinable
  init(_ state: State, _ action: @escaping @Sendable (State) -> Void) {
    self.state = state
    self.action = action
  }

  @inlinable var flag: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  @inlinable var isDisposed: Bool { flag.isClaimed }
  @inlinable
  func run() { if let (state, action) = take() { action(state) } }
  @inlinable
  func dispose() { _ = take() }
  @inlinable
  func abandon() { dispose() }

  @inlinable
  func take() -> (State, @Sendable (State) -> Void)? {
    guard flag.claim(), let action, let state = state.take() else { return nil }
    self.action = nil
    return (state, action)
  }
}

/// A closure called once, or cancelled, whichever is first. Of its own, and not a ``ScheduledAction`` with no
/// state: a scheduler calls the unspecialised code of a generic class, which looks types up.
@usableFromInline
final class ScheduledClosure: ScheduledWork, Disposable, @unchecked Sendable {
  // Unchecked: `action` belongs to the claimer of the flag.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var action: (@Sendable () -> Void)?

  @usableFromInline
  init(_ action: consuming @escaping @Sendable () -> Void) { self.action = consume action }

  private var flag: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  @usableFromInline var isDisposed: Bool { flag.isClaimed }
  @usableFromInline
  func run() { if flag.claim() { action.take()?() } }
  @usableFromInline
  func dispose() { if flag.claim() { action = nil } }
  @usableFromInline
  func abandon() { dispose() }
}
