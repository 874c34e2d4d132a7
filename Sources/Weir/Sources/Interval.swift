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

  /// A signal that sends `()` at each multiple of an interval, counted from the subscription.
  ///
  /// Like ``interval(_:tolerance:on:)``, which has the rules, but without the time, so that the scheduler may
  /// be one whose clock is not known, such as a stored `any TimedScheduler`. It ends when it is disposed, or
  /// without an event if the scheduler is shut down. Ticks are sent on the scheduler; buffers nothing.
  ///
  /// ```swift
  /// Signal.ticks(every: .seconds(30), on: scheduler).subscribe { print("still here") }
  /// ```
  ///
  /// For one tick write `Signal.ticks(every: .seconds(30), on: scheduler).take(first: 1)`, which completes
  /// behind it.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next, and to the first.
  ///   - tolerance: how much later a tick may be; see ``interval(_:tolerance:on:)``.
  ///   - scheduler: where ticks are sent.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC has none: its `+interval:onScheduler:` sends the date.
  public static func ticks(
    every interval: Duration, tolerance: Duration = .zero, on scheduler: some TimedScheduler
  ) -> Signal<Void, Never> where Self == Signal<Void, Never> {
    Signal<_, Never>.interval(interval, tolerance: tolerance, on: scheduler).mapReplace(())
  }

  /// A signal that sends the time once, a given time after the subscription, and completes.
  ///
  /// Both events are sent on the scheduler; disposal cancels the timer. ReactiveObjC has no such signal.
  ///
  /// - Parameters:
  ///   - delay: how long to wait. If it is zero, the value still goes through the scheduler: before
  ///     subscribing has returned, it is sent only by another thread, or if the scheduler runs work inside
  ///     `enqueue`.
  ///   - scheduler: where the value is sent. If it is shut down before, the run ends without an event.
  public static func timer<Target: TimedScheduler>(
    after delay: Duration, on scheduler: Target
  ) -> Signal<Target.Time.Instant, Never> where Self == Signal<Target.Time.Instant, Never> {
    .create { observer in
      scheduler.schedule(after: delay) {
        observer.send(scheduler.clock.now)
        observer.complete()
      }
    }
  }
}
