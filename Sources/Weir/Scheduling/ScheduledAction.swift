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

/// A closure as a state. A struct stores it as it is; a bare closure would be wrapped in another one, on the
/// heap, to fit a generic class.
@usableFromInline
struct PlainAction: Sendable {
  @usableFromInline let run: @Sendable () -> Void

  @inlinable init(run: @escaping @Sendable () -> Void) { self.run = run }
}

extension ScheduledAction where State == PlainAction {
  /// A closure that is run once or cancelled.
  @inlinable
  convenience init(_ action: @escaping @Sendable () -> Void) {
    self.init(PlainAction(run: action)) { $0.run() }
  }
}
