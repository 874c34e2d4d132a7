// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Which values of an interval ``SignalConvertible/rateLimit(to:edge:on:)`` sends. ReactiveObjC has none.
@frozen
public enum RateLimitEdge: Sendable {
  /// The first one, at once. ReactiveX: `throttleFirst`.
  case leading
  /// The last one, when the interval is over. ReactiveX: `throttleLast`.
  case trailing
  /// The first one at once, and when the interval is over the last one, if others have followed. ReactiveX:
  /// `throttleLatest`.
  case both
}

extension SignalConvertible where Value: Sendable {
  /// Sends at most one value in each interval, or the first and the last of it, and drops the others.
  ///
  /// An interval begins with a value that finds none under way, and again with a value that is sent at the
  /// end of one. What comes at once comes where the source sends, what comes at the end on the scheduler.
  /// A value belongs to the interval in which the source sends it, also if another one is being delivered
  /// then. If the last value of an interval is late, because the subscriber is busy or the scheduler is late,
  /// those that come until then replace it.
  ///
  /// Completion sends what waits first, and is passed on at once, both where the source completes; a failure
  /// is passed on at once, and what waits is dropped. If the source lets go without a terminal event, what
  /// waits is still sent, and then the run ends. With an interval of zero and a leading edge, all values pass
  /// at once.
  ///
  /// Keeps one value and one timer, for the trailing edge only; a value costs one turn (see ``Subject``) and
  /// a look at the clock. What comes while a value is being delivered waits in the queue of the turn, which
  /// has no bound: it is dropped, or one replaces the other, when that has been delivered. So a subscriber
  /// that is slower than the source for long wants ``observe(on:_:waiting:failures:)`` behind this operator,
  /// with a bound there.
  ///
  /// Unlike ``debounce(_:on:where:)``, it sends from a steady flow. ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - interval: the time from one value to the next.
  ///   - edge: which values are sent.
  ///   - scheduler: where the timer fires. If it is shut down, the run ends without an event when what waits
  ///     is due.
  @inlinable
  public func rateLimit<Target: TimedScheduler>(
    to interval: Duration, edge: RateLimitEdge, on scheduler: Target
  ) -> Signal<Value, Failure> {
    let interval = interval.bounded
    return Signal(connecting: { [source = signal] sink in
      let next = sink.direct
      let waiting = SubscriptionState<Value?>(nil)
      let timer = RunTimer<Target, Sent<Value>, Failure>(on: scheduler)
      let intervalEnd = SubscriptionState(Duration.zero)
      let delivery = timer.delivery(
        to: sink,
        arrived: { arrival in
          let now = timer.now
          let sent = arrival.time ?? now
          let isFirst = waiting.value == nil
          // While a value waits, the interval is under way, also if the timer is late.
          if sent >= intervalEnd.value, isFirst {
            if edge != .trailing {
              // From now on: the next one must not come sooner.
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
