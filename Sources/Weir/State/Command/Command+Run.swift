// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Command {
  /// Does it, as ``execute(_:)`` does, and waits for the end.
  ///
  /// Where the task is cancelled this throws ``CommandError/interrupted`` at once; the execution, which others may be listening to, goes
  /// on. A task that is cancelled before it comes here executes nothing. Keeps the last value only (the execution keeps all).
  ///
  /// - Parameter input: what to work on.
  /// - Returns: the last value of the work; nil if it has completed without one.
  /// - Throws: what ``execute(_:)`` fails with, or ``CommandError/interrupted``.
  ///
  /// ReactiveObjC has no such method.
  public func run(_ input: Input) async throws(CommandError<Input, Output, Failure>) -> Output? {
    let waiter = LastValueWaiter<Input, Output, Failure>()
    return try await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if waiter.wait(with: continuation) { waiter.listen(to: execute(input)) }
      }
    } onCancel: {
      waiter.stop(.failure(.interrupted))
    }.get()
  }
}

extension Command where Input == Void {
  /// Does it, and waits for the end; see ``run(_:)``.
  ///
  /// - Returns: the last value of the work; nil if it has completed without one.
  /// - Throws: what ``execute(_:)`` fails with, or ``CommandError/interrupted``.
  public func run() async throws(CommandError<Input, Output, Failure>) -> Output? { try await run(()) }
}

/// Resumes a continuation once: at the end of a signal, or when the task is cancelled, which may come before there is a continuation.
private final class LastValueWaiter<Input: Sendable, Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: the word is atomic; `last` is written in serial delivery; `continuation` is written before `waiting` is set, and used by
  // the one who replaces that by `over`.
  typealias Outcome = Result<Value?, CommandError<Input, Value, Failure>>

  private static var waiting: UInt64 { 1 }
  private static var over: UInt64 { 2 }

  private var stateWord: UInt64 = 0
  @exclusivity(unchecked) private var last: Value?
  @exclusivity(unchecked) private var continuation: UnsafeContinuation<Outcome, Never>?
  private let subscription = Subscription()

  private var state: AtomicWord { AtomicWord(property: 0, of: self) }

  /// Takes the continuation to resume; or resumes it and answers false, if it was stopped before.
  func wait(with continuation: UnsafeContinuation<Outcome, Never>) -> Bool {
    self.continuation = continuation
    if state.compareExchange(0, Self.waiting) { return true }
    continuation.resume(returning: .failure(.interrupted))
    return false
  }

  func listen(to signal: Signal<Value, CommandError<Input, Value, Failure>>) {
    signal.attach(
      Sink(
        next: { self.last = $0 },
        terminate: { completion in
          switch completion {
          case .finished: self.stop(.success(self.last))
          case .failed(let error): self.stop(.failure(error))
          }
        },
        subscription: subscription))
  }

  /// Ends the wait. Resuming a continuation only has its task enqueued; so it may be done inside a delivery.
  func stop(_ outcome: Outcome) {
    guard state.exchange(Self.over) == Self.waiting else { return }
    subscription.dispose()
    continuation?.resume(returning: outcome)
  }
}
