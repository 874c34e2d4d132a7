// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value together with the time that has passed since the one before it; for the first, since
  /// the subscription.
  ///
  /// The time is that of the scheduler's clock; nothing is scheduled. Events are forwarded at once, on the
  /// sending thread. Buffers nothing. ReactiveX: `timeInterval`; ReactiveObjC has no such operator.
  ///
  /// - Parameter scheduler: the scheduler whose clock is read.
  @inlinable @inline(__always)
  public func measureInterval<Target: TimedScheduler>(
    on scheduler: Target
  ) -> Signal<(value: Value, interval: Duration), Failure> {
    liftInPlace { (sink: Sink<(value: Value, interval: Duration), Failure>) in
      let (step, frame) = sink.entry
      return sink.upstream(RelayFrame(scheduler.clock.now, before: frame, fail: sink.fail)) { value, frame in
        let own: RelayFrame<Target.Time.Instant, Failure> = frame.own()
        let (now, previous) = (scheduler.clock.now, own.state)
        own.state = now
        step((value, previous.duration(to: now)), own.following)
      }
    }
  }
}
