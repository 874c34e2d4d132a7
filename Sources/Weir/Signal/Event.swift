// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How a signal ends: completed, or failed with an error. Nothing is delivered after it.
///
/// For `Failure == Never` only ``completed`` can be written.
///
/// ReactiveObjC has none: there these are two messages, `-sendCompleted` and `-sendError:`.
@frozen
public enum Completion<Failure: Error>: Sendable {
  /// The signal has sent all it had to send.
  case completed
  /// The signal cannot go on.
  case failed(Failure)

  /// Whether it is the end without an error.
  @inlinable
  public var isCompleted: Bool { error == nil }

  /// The error; nil for the end without one.
  @inlinable
  public var error: Failure? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// One event of a signal, as a value.
///
/// Signals do not carry events in this form (passing a value as itself is several times faster); it is for
/// tests, for storing events, and for operators that turn events into values.
///
/// ReactiveObjC: `RACEvent`.
@frozen
public enum Event<Value, Failure: Error> {
  /// A value.
  case next(Value)
  /// The end with an error.
  case failed(Failure)
  /// The end without an error.
  case completed

  /// The event that stands for `completion`.
  @inlinable
  public init(_ completion: Completion<Failure>) {
    switch completion {
    case .completed: self = .completed
    case .failed(let error): self = .failed(error)
    }
  }

  /// The value; nil for a terminal event.
  @inlinable
  public var value: Value? {
    if case .next(let value) = self { value } else { nil }
  }

  /// The error; nil for a value and for the completion.
  @inlinable
  public var error: Failure? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// How the signal ends with this event; nil for a value.
  @inlinable
  public var completion: Completion<Failure>? {
    switch self {
    case .next: nil
    case .failed(let error): .failed(error)
    case .completed: .completed
    }
  }
}

/// In arrays, too, an event is printed as it is written: `.next(1)`.
extension Event: CustomDebugStringConvertible {
  /// The event as it is written in code.
  public var debugDescription: String {
    switch self {
    case .next(let value): ".next(\(String(reflecting: value)))"
    case .failed(let error): ".failed(\(String(reflecting: error)))"
    case .completed: ".completed"
    }
  }
}

extension Event: Sendable where Value: Sendable {}
extension Event: Equatable where Value: Equatable, Failure: Equatable {}
extension Event: Hashable where Value: Hashable, Failure: Hashable {}
extension Completion: Equatable where Failure: Equatable {}
extension Completion: Hashable where Failure: Hashable {}
