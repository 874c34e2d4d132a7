// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Sends the newest value of this signal at each multiple of `interval`: again, if there is no newer one,
  /// and nothing before there is one.
  ///
  /// Times are counted from the subscription. It ends as this signal does, at once, and the newest value is
  /// not sent then; as with ``sample(on:)``, of which it is the form with a clock. Delivery is serial: values
  /// are sent on `scheduler`, and the end is passed on where it comes. A tick that is due while the one
  /// before it is still being delivered is left out. The timer waits only once there is a value, and is taken
  /// back when the subscription ends.
  ///
  /// Keeps one value. Costs one timer a tick, and one turn a value (see ``Subject``). What comes while one is
  /// being sent on the scheduler waits in the queue of the turn, which has no bound: one replaces the other
  /// when that has been sent. So a subscriber that is slower than the source for long wants
  /// ``observe(on:_:waiting:failures:)`` behind this operator, with a bound there.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next.
  ///   - scheduler: where the time passes. If it is shut down, the run ends without an event at the next
  ///     tick.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC: `-sample:` with an `+interval:onScheduler:`.
  @inlinable
  public func sample<Target: TimedScheduler>(
    every interval: Duration, on scheduler: Target
  ) -> Signal<Value, Failure> {
    precondition(interval > .zero, "weir: sample(every: \(interval)): the interval must be positive")
    return Signal(connecting: { [source = signal] sink in
      let next = sink.next
      let latest = SubscriptionState<Value?>(nil)
      let timer = RunTimer<Target, Value, Failure>(for: .rounds, on: scheduler)
      let wait = { @Sendable in timer.set(to: timer.passed.next(every: interval)) }
      let delivery = timer.delivery(
        to: sink,
        arrived: { value in
          let isFirst = latest.value == nil
          latest.value = value
          if isFirst { wait() }
        },
        fired: {
          if let value = latest.value { next(value) }
          if !sink.isEnded { wait() }
        })
      delivery.listen(to: source, next: { delivery.send(.arrival($0)) })
    })
  }
}
