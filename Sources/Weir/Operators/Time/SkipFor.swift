// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Drops values for some time, and forwards those that arrive from then on.
  ///
  /// The time is counted from the subscription. Terminal events pass at any time, and cancel the timer.
  /// Values are forwarded on the sending thread. The rest is as with ``skip(until:)-5sbod``, which costs one
  /// atomic load per value. ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - duration: for how long.
  ///   - scheduler: where the timer fires. If it is shut down before, the time is never over, and no value is
  ///     forwarded.
  @inlinable
  public func skip(for duration: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
    skip(until: Signal.timer(after: duration, on: scheduler))
  }
}
