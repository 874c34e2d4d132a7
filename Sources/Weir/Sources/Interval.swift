// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Of the protocol for the reason that JustEmptyNeverFail.swift names.
extension SignalConvertible {
  /// A signal that sends the time at each multiple of an interval, counted from the subscription.
  ///
  /// A tick is sent on the scheduler, never before its time; its value is the time at which it is sent.
  /// Delays do not add up; a tick that is due while the one before is late or still being delivered is
  /// skipped. The signal ends when it is disposed, which cancels the timer; it never fails. To combine it
  /// with signals that can, see ``SignalConvertible/setFailureType(to:)``.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next, and to the first.
  ///   - tolerance: how much later a tick may be, so that several timers can share one wake-up; it does not
  ///     add up either. One of centuries (more than 2⁶⁴ nanoseconds) acts as none.
  ///   - scheduler: where ticks are sent. If it is shut down, the run ends without an event.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC: `+interval:onScheduler:` and `+interval:onScheduler:withLeeway:`.
  public static func interval<Target: TimedScheduler>(
    _ interval: Duration, tolerance: Duration = .zero, on scheduler: Target
  ) -> Signal<Target.Time.Instant, Never> where Self == Signal<Target.Time.Instant, Never> {
    require(interval > .zero, "weir: interval(\(interval)): the interval must be positive")
    return .create { observer in
      scheduler.schedule(every: interval, tolerance: tolerance) { observer.send(scheduler.clock.now) }
    }
  }
}
