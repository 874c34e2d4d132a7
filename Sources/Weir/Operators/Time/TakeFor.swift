// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards events for some time, and then completes.
  ///
  /// The time is counted from the subscription. When it is over, the signal is disposed, and then the
  /// completion is sent: on the scheduler or, if an event is being delivered then, by the delivering thread.
  /// The end of the signal cancels the timer. The rest is as with ``take(until:)``. ReactiveObjC has no such
  /// operator.
  ///
  /// - Parameters:
  ///   - duration: for how long.
  ///   - scheduler: where the timer fires. If it is shut down before, the time is never over, and the signal
  ///     goes on to its end.
  @inlinable
  public func take(for duration: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
    take(until: Signal.timer(after: duration, on: scheduler))
  }
}
