// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Command {
  /// Executes the command where the caller runs, as ``execute(_:)`` does, and waits for the end.
  ///
  /// When the task is cancelled this throws ``CommandError/cancelled`` at once; the execution, which may have
  /// other subscribers, goes on. A task that is cancelled before the call executes nothing. Retains only the
  /// last value (the execution retains all).
  ///
  /// - Parameter input: what to work on.
  /// - Returns: the last value of the work; nil if it has completed without one.
  /// - Throws: what ``execute(_:)`` fails with, or ``CommandError/cancelled``.
  ///
  /// ReactiveObjC has no such method.
  public nonisolated(nonsending) func run(
    _ input: Input
  ) async throws(CommandError<Input, Output, Failure>) -> Output? {
    // Executed when the task is found not to be cancelled.
    try await Signal.deferred { self.execute(input) }
      .folded(into: nil, interruption: .failed(.cancelled)) { $0 = $1 }
  }
}

extension Command where Input == Void {
  /// Executes the command, and waits for the end; see ``run(_:)``.
  ///
  /// - Returns: the last value of the work; nil if it has completed without one.
  /// - Throws: what ``execute(_:)`` fails with, or ``CommandError/cancelled``.
  ///
  /// ReactiveObjC has no such method.
  public nonisolated(nonsending) func run() async throws(CommandError<Input, Output, Failure>) -> Output? {
    try await run(())
  }
}
