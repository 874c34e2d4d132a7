// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A closure called with a state once, or cancelled, whichever is first. Both are released then.
final class ScheduledAction<State>: ScheduledWork, Disposable, @unchecked Sendable {
  // Unchecked: `state` and `action` belong to the claimer of the flag.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var state: State?
  @exclusivity(unchecked) private var action: (@Sendable (State) -> Void)?

  init(_ state: State, _ action: @escaping @Sendable (State) -> Void) {
    self.state = state
    self.action = action
  }

  private var flag: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  var isDisposed: Bool { flag.isClaimed }
  func run() { if let (state, action) = take() { action(state) } }
  func dispose() { _ = take() }
  func abandon() { dispose() }

  private func take() -> (State, @Sendable (State) -> Void)? {
    flag.claim() ? release() : nil
  }

  /// For the claiming thread.
  private func release() -> (State, @Sendable (State) -> Void)? {
    guard let action, let state = state.take() else { return nil }
    self.action = nil
    return (state, action)
  }
}

/// A closure as a state. A struct stores it as it is; a bare closure would be wrapped in another one, on the
/// heap, to fit a generic class.
struct PlainAction: Sendable {
  let run: @Sendable () -> Void
}

extension ScheduledAction where State == PlainAction {
  /// A closure that is run once or cancelled.
  convenience init(_ action: @escaping @Sendable () -> Void) {
    self.init(PlainAction(run: action)) { $0.run() }
  }
}
