// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What is done with a state once or taken back, whichever comes first. The state is released then.
final class ScheduledAction<State>: ScheduledWork, Disposable, @unchecked Sendable {
  // Unchecked: `state` belongs to the claimer of the flag.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var state: State?
  private let action: @Sendable (State) -> Void

  init(_ state: State, _ action: @escaping @Sendable (State) -> Void) {
    self.state = state
    self.action = action
  }

  private var flag: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  var isDisposed: Bool { flag.isClaimed }
  func run() { if let state = take() { action(state) } }
  func dispose() { _ = take() }
  func abandon() { dispose() }

  private func take() -> State? {
    flag.claim() ? state.take() : nil
  }
}

/// A closure as a state. In a struct it stays as it is; a bare one would be wrapped into another, on the
/// heap, to fit a generic class.
struct PlainAction: Sendable {
  let run: @Sendable () -> Void
}

extension ScheduledAction where State == PlainAction {
  /// A closure that is run once or taken back.
  convenience init(_ action: @escaping @Sendable () -> Void) {
    self.init(PlainAction(run: action)) { $0.run() }
  }
}
