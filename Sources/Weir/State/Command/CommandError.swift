// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Why an execution of a ``Command`` did not complete.
///
/// ReactiveObjC: an `NSError`: that of the work, or one of `RACCommandErrorDomain`.
public enum CommandError<Input: Sendable, Output: Sendable, Failure: Error>: Error {
  /// The command was not enabled, for the reason given, and its closure was not called. Carries, and retains,
  /// the command and the input.
  ///
  /// ReactiveObjC: `RACCommandErrorNotEnabled`, with the command as `RACUnderlyingCommandErrorKey`, and
  /// without a reason.
  case notEnabled(CommandRefusal, command: Command<Input, Output, Failure>, input: Input)
  /// The work failed.
  case failed(Failure)
  /// There will be no end of the work: its source let go of it without a terminal event, as a subject does
  /// when it is released, and ``SignalConvertible/never()`` at once; or the scheduler of the command was shut
  /// down before the work began. Also thrown by ``Command/run(_:)`` when the waiting task is cancelled; the
  /// execution goes on then.
  case interrupted
}

/// Why a ``Command`` refused an execution. The reason applied at the moment of refusal; the command may be
/// enabled by now.
///
/// ReactiveObjC does not tell.
public enum CommandRefusal: Sendable, Hashable {
  /// The last value of its condition is false, whatever else runs.
  case disabled
  /// As many executions run as may: see ``Command/concurrency``.
  case busy
}
