// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// An event and when it came.
public struct Recorded<Value, Failure: Error> {
  /// How long after the beginning of virtual time; for a ``ColdSignal``, after the subscription.
  public var time: Duration
  /// What came.
  public var event: Event<Value, Failure>

  /// `event`, at `time`.
  public init(_ time: Duration, _ event: Event<Value, Failure>) {
    self.time = time
    self.event = event
  }
}

extension Recorded: Sendable where Value: Sendable {}
extension Recorded: Equatable where Value: Equatable, Failure: Equatable {}

extension Recorded: CustomStringConvertible {
  /// The time and the event.
  public var description: String {
    let what =
      switch event {
      case .next(let value): "\(value)"
      case .failed(let error): "failed(\(error))"
      case .completed: "completed"
      }
    return "\(time): \(what)"
  }
}

/// An error for tests: what `#` in a marble diagram means for a signal that can fail with it, if nothing else
/// is said.
public struct TestFailure: Error, Hashable {
  /// Tells several apart.
  public var code: Int
  /// A failure with a number.
  public init(_ code: Int = 0) { self.code = code }
}
