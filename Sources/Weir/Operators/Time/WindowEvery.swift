// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Sends signals that each carry the values between two points in time, `interval` apart.
  ///
  /// The boundaries are fixed: multiples of `interval`, counted from the subscription. A window is announced
  /// right before its first value, and completes at the next boundary. So no window is empty, and nothing
  /// waits where nothing comes; an interval without values has no window. Windows are hot, and end after the
  /// outer signal or with it, as with ``window(count:)``.
  ///
  /// Delivery is serial: values are sent where the source sends them, and a window completes on `scheduler`;
  /// or, if its time is up while a value is being sent, where that is, right after it. A value that comes
  /// before that, because the scheduler is late, still belongs to the old window. The timer is taken back
  /// when the subscription ends.
  ///
  /// Buffers nothing; one subject and one timer a window, and one turn a value (see ``Subject``).
  ///
  /// - Parameters:
  ///   - interval: the time between two boundaries.
  ///   - scheduler: where the time passes. If it is shut down, the run ends without an event at the next
  ///     boundary, and so does its window.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable
  public func window(
    every interval: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Signal<Value, Failure>, Failure> {
    precondition(interval > .zero, "weir: window(every: \(interval)): the interval must be positive")
    return window(upTo: .max, every: interval, on: scheduler)
  }

  /// Sends signals that each carry the values between two points in time, `interval` apart, but at most
  /// `count`.
  ///
  /// A window that is full completes with its last value; the next one ends at the same boundary, as the
  /// boundaries are fixed. The rest is as with ``window(every:on:)``.
  ///
  /// - Parameters:
  ///   - count: how many values a window has at most.
  ///   - interval: the time between two boundaries.
  ///   - scheduler: where the time passes.
  /// - Precondition: `count` and `interval` are positive.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable
  public func window(
    count: Int, every interval: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Signal<Value, Failure>, Failure> {
    precondition(
      count > 0 && interval > .zero,
      "weir: window(count: \(count), every: \(interval)): the count and the interval must be positive")
    return window(upTo: count, every: interval, on: scheduler)
  }

  @inlinable
  func window<Target: TimedScheduler>(
    upTo count: Int, every interval: Duration, on scheduler: Target
  ) -> Signal<Signal<Value, Failure>, Failure> {
    Signal<Signal<Value, Failure>, Failure>(connecting: { [source = signal] sink in
      let run = WindowRun(of: count, into: sink)
      let timer = RunTimer<Target, Value, Failure>(on: scheduler)
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
