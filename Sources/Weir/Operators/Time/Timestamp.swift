// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value together with the time at which it arrived.
  ///
  /// The time is that of the scheduler's clock; nothing is scheduled. Events are forwarded at once, on the
  /// sending thread. Buffers nothing. ReactiveObjC has no such operator.
  ///
  /// - Parameter scheduler: the scheduler whose clock is read.
  @inlinable @inline(__always)
  public func timestamp<Target: TimedScheduler>(
    on scheduler: Target
  ) -> Signal<(value: Value, instant: Target.Time.Instant), Failure> {
    map { value in (value, scheduler.clock.now) }
  }
}
