// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal where Failure == Never {
  /// A signal that sends the time at each multiple of an interval, counted from the subscription.
  ///
  /// A tick comes on the scheduler, never before its time, and is the time at which it came. Delays do not
  /// add up; if one takes so long that the next was due meanwhile, that one is left out. It ends when it is
  /// disposed, which takes the timer back; it fails never. To combine it with signals that can, see
  /// ``SignalConvertible/setFailureType(to:)``.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next, and to the first.
  ///   - tolerance: how much later a tick may be, so that several timers can share one wake-up; it does not
  ///     add up either.
  ///   - scheduler: where ticks come. If it is shut down, the run ends without an event.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC: `+interval:onScheduler:` and `+interval:onScheduler:withLeeway:`.
  public static func interval<Target: TimedScheduler>(
    _ interval: Duration, tolerance: Duration = .zero, on scheduler: Target
  ) -> Signal where Value == Target.Time.Instant {
    precondition(interval > .zero, "weir: interval(\(interval)): the interval must be positive")
    return .create { observer in
      scheduler.schedule(every: interval, tolerance: tolerance) { observer.send(scheduler.clock.now) }
    }
  }

  /// A signal that sends the time once, when some of it has passed since the subscription, and completes.
  ///
  /// Both come on the scheduler; disposal takes the timer back. ReactiveObjC has no such signal.
  ///
  /// - Parameters:
  ///   - delay: how long to wait. If it is zero, the value goes through the scheduler, too: before
  ///     subscribing has returned, it is sent only by other threads, or if that runs work inside `enqueue`.
  ///   - scheduler: where the value comes. If it is shut down before, the run ends without an event.
  public static func timer<Target: TimedScheduler>(
    after delay: Duration, on scheduler: Target
  ) -> Signal where Value == Target.Time.Instant {
    .create { observer in
      scheduler.schedule(after: delay) {
        observer.send(scheduler.clock.now)
        observer.complete()
      }
    }
  }
}
