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
  /// down before the work began.
  case interrupted
  /// The task that waited in ``Command/run(_:)`` was cancelled. The work, if it had begun, goes on: it may
  /// still succeed. Only `run` throws this.
  case cancelled
}

extension CommandError {
  /// Why the command was not enabled; nil for another error. For a command whose input cannot be compared,
  /// such as `Void`: `completion?.error?.refusal == .busy`.
  @inlinable
  public var refusal: CommandRefusal? {
    if case .notEnabled(let reason, command: _, input: _) = self { reason } else { nil }
  }

  /// The error of the work; nil for another one.
  @inlinable
  public var failure: Failure? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// The same error, and for ``CommandError/notEnabled(_:command:input:)`` of the same command.
extension CommandError: Equatable where Input: Equatable, Failure: Equatable {
  /// Compares commands by identity.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.notEnabled(let reason, let command, let input), .notEnabled(let reason2, let command2, let input2)):
      reason == reason2 && command === command2 && input == input2
    case (.failed(let error), .failed(let error2)): error == error2
    case (.interrupted, .interrupted), (.cancelled, .cancelled): true
    default: false
    }
  }
}

extension CommandError: CustomStringConvertible {
  /// The reason in words, without the input, which may be confidential. Of ``failed(_:)`` that of its error.
  public var description: String {
    switch self {
    case .notEnabled(.disabled, command: _, input: _): "the command is disabled"
    case .notEnabled(.busy, command: _, input: _): "the command is busy"
    case .failed(let error): "\(error)"
    case .interrupted: "the work ended without a result"
    case .cancelled: "the task that waited for the command was cancelled"
    }
  }
}

/// Why a ``Command`` refused an execution. The reason applied at the moment of refusal; the command may be
/// enabled by now. There may be more of them one day: a `switch` outside of Weir needs `@unknown default`.
///
/// ReactiveObjC does not tell.
@nonexhaustive
public enum CommandRefusal: Sendable, Hashable {
  /// The last value of its condition is false, whatever else runs.
  case disabled
  /// As many executions run as may: see ``Command/concurrency``.
  case busy
}
