// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// An event and when it came.
///
/// ReactiveObjC has none.
public struct Recorded<Value, Failure: Error> {
  /// The time since the start of virtual time; for a ``ColdSignal``, since the subscription.
  public var time: Duration
  /// The event.
  public var event: Event<Value, Failure>

  /// `event`, at `time`.
  public init(_ time: Duration, _ event: Event<Value, Failure>) {
    self.time = time
    self.event = event
  }
}

extension Recorded: Sendable where Value: Sendable {}
extension Recorded: Equatable where Value: Equatable, Failure: Equatable {}
extension Recorded: Hashable where Value: Hashable, Failure: Hashable {}

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

/// An error for tests: what `#` in a marble diagram stands for by default, if the signal can fail with it.
///
/// ReactiveObjC has none.
public struct TestFailure: Error, Hashable {
  /// Distinguishes several failures.
  public var code: Int
  /// A failure with a number.
  public init(_ code: Int = 0) { self.code = code }
}
