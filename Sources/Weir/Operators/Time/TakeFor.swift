// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Passes events on for some time, and then completes.
  ///
  /// The time is counted from the subscription. When it is over, the signal is disposed, and then the
  /// completion is sent: on the scheduler, or, if that meets a delivery under way, by the thread that is
  /// delivering. The end of the signal takes the timer back. The rest is as with ``take(until:)``.
  /// ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - duration: for how long.
  ///   - scheduler: where the timer fires. If it is shut down before, the time is never over, and the signal
  ///     goes on to its end.
  @inlinable
  public func take(for duration: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
    take(until: Signal.timer(after: duration, on: scheduler))
  }

  /// Drops values for some time, and passes on what comes from then on.
  ///
  /// The time is counted from the subscription. Terminal events pass at any time, and take the timer back.
  /// Values come where the source sends. The rest is as with ``skip(until:)-5sbod``, which costs one atomic
  /// load a value. ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - duration: for how long.
  ///   - scheduler: where the timer fires. If it is shut down before, the time is never over, and no value is
  ///     passed on.
  @inlinable
  public func skip(for duration: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
    skip(until: Signal.timer(after: duration, on: scheduler))
  }
}
