// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Of the protocol for the reason that JustEmptyNeverFail.swift names.
extension SignalConvertible {
  /// A signal that sends the time once, a given time after the subscription, and completes.
  ///
  /// Both events are sent on the scheduler; disposal cancels the timer. ReactiveObjC has no such signal.
  ///
  /// - Parameters:
  ///   - delay: how long to wait. If it is zero, the value still goes through the scheduler: before
  ///     subscribing has returned, it is sent only by another thread, or if the scheduler runs work inside
  ///     `enqueue`.
  ///   - tolerance: how much later the value may be, so that several timers can share one wake-up.
  ///   - scheduler: where the value is sent. If it is shut down before, the run ends without an event.
  @inlinable
  public static func timer<Target: TimedScheduler>(
    after delay: Duration, tolerance: Duration = .zero, on scheduler: Target
  ) -> Signal<Target.Time.Instant, Never> where Self == Signal<Target.Time.Instant, Never> {
    .create { observer in
      scheduler.schedule(after: delay, tolerance: tolerance) {
        observer.send(scheduler.clock.now)
        observer.complete()
      }
    }
  }
}
