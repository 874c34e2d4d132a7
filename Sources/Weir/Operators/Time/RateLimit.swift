// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Which values of an interval ``SignalConvertible/rateLimit(to:on:edge:)`` sends. ReactiveObjC has none.
@frozen
public enum RateLimitEdge: Sendable {
  /// The first one, at once. ReactiveX: `throttleFirst`.
  case leading
  /// The last one, when the interval is over. RxJS: `throttleTime` with `leading: false` and `trailing:
  /// true`, and nearly `auditTime`, which starts no interval with a value that it sends. ReactiveX's
  /// `throttleLast` is another operator: see ``SignalConvertible/sample(every:on:)``.
  case trailing
  /// The first one at once, and when the interval is over the last one, if others have followed. ReactiveX:
  /// `throttleLatest`.
  case both
}

extension SignalConvertible where Value: Sendable {
  /// Sends at most one value in each interval, or the first and the last of it, and drops the others.
  ///
  /// An interval starts with a value that arrives when none is under way, and again with a value that is sent
  /// at the end of one. Leading values are sent on the sending thread, or on one that is already delivering,
  /// and trailing ones on the scheduler. A value belongs to the interval in which the source sends it, even
  /// if another one is being delivered then. If the last value of an interval is late, because the subscriber
  /// is busy or the scheduler is late, values that arrive until then replace it.
  ///
  /// When the source completes, the pending value is sent at once, and then the completion, both on that
  /// thread, or on one that is already delivering; a failure is forwarded at once in the same way, and the
  /// pending value is dropped. If the source lets go without a terminal event, the pending value is still
  /// sent, and then the run ends. With an interval of zero and a leading edge, all values pass at once; with
  /// the trailing edge alone, the newest one when the scheduler gets to it.
  ///
  /// Retains one value and one timer, for the trailing edge only; a value costs one turn (see ``Subject``)
  /// and one reading of the clock. Values that arrive while one is being delivered wait in the queue of the
  /// turn, which is unbounded: only after that delivery are they dropped, or replace each other. So if the
  /// subscriber is slower than the source for long, put ``observe(on:_:waiting:failures:)`` behind this
  /// operator, with a bound there.
  ///
  /// Unlike ``debounce(_:on:where:)``, it sends values of a steady flow. ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - interval: the time from one value to the next.
  ///   - scheduler: where the timer fires. If it is shut down, the run ends without an event when the pending
  ///     value is due.
  ///   - edge: which values are sent.
  @inlinable @inline(__always)
  public func rateLimit(
    to interval: Duration, on scheduler: some TimedScheduler, edge: RateLimitEdge
  ) -> Signal<Value, Failure> {
    rateLimit(to: interval, by: TimerTarget(scheduler), edge: edge)
  }

  @inlinable
  func rateLimit(
    to interval: Duration, by target: TimerTarget, edge: RateLimitEdge
  ) -> Signal<Value, Failure> {
    let interval = interval.bounded
    return Signal(attaching: { [source = signal] sink, _ in
      let next = sink.ungatedNext
      let waiting = OperatorState<Value?>(nil)
      let timer = RunTimer<Sent<Value>, Failure>(on: target)
      let intervalEnd = OperatorState(Duration.zero)
      let delivery = timer.delivery(
        to: sink,
        arrived: { arrival in
          let now = timer.now
          let sent = arrival.time ?? now
          let isFirst = waiting.value == nil
          // While a value is pending, the interval is under way, even if the timer is late.
          if sent >= intervalEnd.value, isFirst {
            if edge != .trailing {
              // Counted from now: the next value must not be sent sooner.
              intervalEnd.value = now.adding(interval)
              return next(arrival.value)
            }
            intervalEnd.value = sent.adding(interval)
          }
          if edge == .leading { return }
          waiting.value = arrival.value
          if isFirst { timer.keep(until: intervalEnd.value) }
        },
        fired: {
          guard let value = waiting.value else { return }
          waiting.value = nil
          timer.letGo()
          intervalEnd.value = timer.passed.adding(interval)
          next(value)
        },
        drop: { waiting.value = nil })
      delivery.listen(
        to: source,
        next: { delivery.send(.arrival(Sent($0)), orLeave: .arrival(Sent($0, at: timer.now))) })
    })
  }
}
