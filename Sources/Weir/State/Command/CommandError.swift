// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Why an execution of a ``Command`` did not complete.
///
/// ReactiveObjC: an `NSError`: that of the work, or one of `RACCommandErrorDomain`.
public enum CommandError<Input: Sendable, Output: Sendable, Failure: Error>: Error {
  /// The command was not enabled, and its closure was not called. Carries, and retains, the command and the
  /// input.
  ///
  /// ReactiveObjC: `RACCommandErrorNotEnabled`, with the command as `RACUnderlyingCommandErrorKey`.
  case notEnabled(command: Command<Input, Output, Failure>, input: Input)
  /// The work failed.
  case failed(Failure)
  /// There will be no end of the work: its source let go of it without a terminal event, as a subject does
  /// when it is released, and ``SignalConvertible/never()`` at once; or the scheduler of the command was shut
  /// down before the work began. Also thrown by ``Command/run(_:)`` when the waiting task is cancelled; the
  /// execution goes on then.
  case interrupted
}
