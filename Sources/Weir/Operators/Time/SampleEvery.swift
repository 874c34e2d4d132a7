// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Sends the newest value of this signal at each multiple of `interval`: the same one again if there is no
  /// newer one, and nothing before the first.
  ///
  /// Times are counted from the subscription. The terminal event of this signal is forwarded at once, and the
  /// newest value is not sent then, as with ``sample(on:)``: this is its form with a clock. If this signal
  /// lets go without a terminal event, the run ends at once, without an event and without that value.
  /// Delivery is serial: values are sent on `scheduler`, the terminal event on the thread on which this
  /// signal ends, or on one that is already delivering. A tick that is due while the one before it is still
  /// being delivered is skipped. The timer starts with the first value; the end of the subscription cancels
  /// it.
  ///
  /// Retains one value. Costs one timer per tick, and one turn per value (see ``Subject``). Values that
  /// arrive while one is being sent on the scheduler wait in the queue of the turn, which is unbounded: only
  /// after that do they replace each other. So if the subscriber is slower than the source for long, put
  /// ``observe(on:_:waiting:failures:)`` behind this operator, with a bound there.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next.
  ///   - scheduler: measures the time, and sends the values. If it is shut down, the run ends without an
  ///     event at the next tick.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC: `-sample:` with an `+interval:onScheduler:`. ReactiveX: `sample` or `throttleLast`, which
  /// sends nothing if there is no newer value: that is `enumerated()` before this operator, and behind it
  /// `distinctUntilKeyChanged { $0.offset }.map(\.element)`. In RxSwift and Rx.NET the completion waits for
  /// the next tick, which sends the newest value before it.
  @inlinable @inline(__always)
  public func sample(
    every interval: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> {
    sample(every: interval, by: TimerTarget(scheduler))
  }

  @inlinable
  func sample(every interval: Duration, by target: TimerTarget) -> Signal<Value, Failure> {
    require(interval > .zero, "weir: sample(every: \(interval)): the interval must be positive")
    return Signal(attaching: { [source = signal] sink, _ in
      let next = sink.next
      let latest = OperatorState<Value?>(nil)
      let timer = RunTimer<Value, Failure>(for: .rounds, on: target)
      let wait = { @Sendable (passed: Duration) in timer.set(to: passed.next(every: interval)) }
      let delivery = timer.delivery(
        to: sink,
        arrived: { value in
          let isFirst = latest.value == nil
          latest.value = value
          // The first value may arrive at a tick: that one is not over, and the value is sent at it.
          if isFirst { wait(timer.passed.adding(Duration(attoseconds: -1))) }
        },
        fired: {
          if let value = latest.value { next(value) }
          if !sink.isEnded { wait(timer.passed) }
        })
      delivery.listen(to: source, next: { delivery.send(.arrival($0)) })
    })
  }
}
