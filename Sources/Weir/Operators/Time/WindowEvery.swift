// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Sends signals that each carry the values between two points in time, `interval` apart.
  ///
  /// The boundaries are fixed: multiples of `interval`, counted from the subscription. A window is announced
  /// right before its first value, and completes at the next boundary. So no window is empty, an interval
  /// without values has no window, and no timer is set without a window. Windows are hot, and when this
  /// signal ends, the outer signal ends first, and then the open window: both as with ``window(count:)``. If
  /// it lets go without a terminal event, the run ends at once, without an event, and so does the open
  /// window.
  ///
  /// Delivery is serial: values are sent on the sending thread, or on one that is already delivering, and a
  /// window completes on `scheduler` or, if its time is up while a value is being sent, right after that
  /// value, on the same thread. A value that arrives before that, because the scheduler is late, still
  /// belongs to the old window. The end of the subscription cancels the timer.
  ///
  /// Buffers only what arrives during a delivery, in an unbounded queue; costs one subject and one timer per
  /// window, and one turn per value (see ``Subject``).
  ///
  /// - Parameters:
  ///   - interval: the time between two boundaries.
  ///   - scheduler: measures the time, and completes the windows. If it is shut down, the run ends without an
  ///     event at the next boundary, and so does the open window.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func window(
    every interval: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Signal<Value, Failure>, Failure> {
    require(interval > .zero, "weir: window(every: \(interval)): the interval must be positive")
    return window(upTo: .max, every: interval, by: TimerTarget(scheduler))
  }

  /// Sends signals that each carry the values between two points in time, `interval` apart, but at most
  /// `count` of them.
  ///
  /// A full window completes with its last value; the next one ends at the same boundary, as the boundaries
  /// are fixed. The rest is as with ``window(every:on:)``.
  ///
  /// - Parameters:
  ///   - count: how many values a window has at most.
  ///   - interval: the time between two boundaries.
  ///   - scheduler: measures the time.
  /// - Precondition: `count` and `interval` are positive.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func window(
    count: Int, every interval: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Signal<Value, Failure>, Failure> {
    require(
      count > 0 && interval > .zero,
      "weir: window(count: \(count), every: \(interval)): the count and the interval must be positive")
    return window(upTo: count, every: interval, by: TimerTarget(scheduler))
  }

  @inlinable
  func window(
    upTo count: Int, every interval: Duration, by target: TimerTarget
  ) -> Signal<Signal<Value, Failure>, Failure> {
    Signal<Signal<Value, Failure>, Failure>(attaching: { [source = signal] sink, _ in
      let run = WindowRun(of: count, into: sink)
      let timer = RunTimer<Value, Failure>(on: target)
      let delivery = timer.delivery(
        in: sink.subscription,
        arrived: { value in
          run.send(value) { timer.set(to: timer.passed.next(every: interval)) }
        },
        fired: { run.close() }, missed: .act, terminate: { run.end(with: $0) })
      delivery.listen(to: source, next: { delivery.send(.arrival($0)) })
    })
  }
}
