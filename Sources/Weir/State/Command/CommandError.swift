// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Why an execution of a ``Command`` came to nothing.
///
/// ReactiveObjC: an `NSError`: that of the work, or one of `RACCommandErrorDomain`.
public enum CommandError<Input: Sendable, Output: Sendable, Failure: Error>: Error {
  /// The command was not enabled, and its closure was not called. Carries, and keeps, the command and what it
  /// was to work on.
  ///
  /// ReactiveObjC: `RACCommandErrorNotEnabled`, with the command as `RACUnderlyingCommandErrorKey`.
  case notEnabled(command: Command<Input, Output, Failure>, input: Input)
  /// The work failed.
  case failed(Failure)
  /// There will be no end to hear of: the source of the work let go of it without a terminal event, as a
  /// subject does that is released, and ``Signal/never()`` at once; or the scheduler of the command was shut
  /// down before the work began.
  /// Thrown by ``Command/run(_:)`` also where the task that waits was cancelled; the execution goes on then.
  case interrupted
}
