// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Sends values and completion later, in their order.
  ///
  /// They come on the scheduler; if the delay is zero, too, and then not inside the call that sends them,
  /// unless the scheduler runs work inside `enqueue`. Those that are due at the same time come in one go. A
  /// failure is passed on at once, where the source fails, and what waits is dropped; so it is on disposal.
  /// If the source lets go without a terminal event, what waits is still sent, and then the run ends.
  ///
  /// Keeps the values that are not due and one timer, however many they are. A value costs one turn (see
  /// ``Subject``) and a look at the clock. What comes while others are being sent on the scheduler waits in
  /// the queue of the turn, which has no bound: it is counted, and what is too much is dropped or fails, when
  /// these have been sent. So a subscriber that is slower than the source for long wants
  /// ``observe(on:_:waiting:failures:)`` behind this operator, with a bound there.
  ///
  /// - Parameters:
  ///   - delay: how much later.
  ///   - scheduler: where values and completion come. If it is shut down, the run ends without an event when
  ///     the next one is due.
  ///   - backlog: how many values may wait. Failing for one too many is like a failure of the source.
  ///
  /// ReactiveObjC: `-delay:`.
  @inlinable
  public func delay<Target: TimedScheduler>(
    _ delay: Duration, on scheduler: Target, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<Value, Failure> {
    let delay = delay.bounded
    return Signal(connecting: { [source = signal] sink in
      let next = sink.next
      let waiting = SubscriptionState(FIFO<Delayed<Value>>())
      let timer = RunTimer<Target, Delayed<Value>, Failure>(on: scheduler)
      let drop = { @Sendable in waiting.value = FIFO() }
      let delivery = timer.delivery(
        to: sink,
        arrived: { arrival in
          if case .next = arrival.event, waiting.value.count >= backlog.bound {
            let mayWait = backlog.makeRoom(
              in: "delay", of: sink.subscription,
              dropOldest: {
                _ = waiting.value.popFirst()
                return true
              },
              fail: { timer.fail($0, to: sink, dropping: drop) })
            // With a bound of 0 it is itself what has waited longest.
            if !mayWait || backlog.bound == 0 { return }
          }
          waiting.value.append(arrival)
          if waiting.value.count == 1 { timer.keep(until: arrival.due) }
        },
        fired: {
          let now = timer.passed
          while let first = waiting.value.first {
            if first.due > now { return timer.set(to: first.due) }
            _ = waiting.value.popFirst()
            guard case .next(let value) = first.event else {
              timer.letGo()
              return sink.terminate(.finished)
            }
            next(value)
            // Disposed, or a failure waits for the turn, which overtakes the other values.
            if sink.subscription.isDisposed || timer.isEnding { return }
          }
          timer.letGo()
        },
        drop: drop)
      // Due from now, and not from when it gets the turn.
      delivery.listen(
        to: source,
        next: {
          delivery.send(.arrival(Delayed(event: .next($0), due: timer.now.adding(delay))))
        },
        completed: {
          delivery.send(.arrival(Delayed(event: .completed, due: timer.now.adding(delay))))
        })
    })
  }
}

extension SignalConvertible {
  /// Subscribes the signal later, on the scheduler, and then passes its events on as they come.
  ///
  /// Disposal before that takes the timer back, and the signal is never run. Buffers nothing. ReactiveObjC
  /// has no such operator.
  ///
  /// - Parameters:
  ///   - delay: how much later. If it is zero, this goes through the scheduler, too: before subscribing has
  ///     returned, the signal is subscribed only by other threads, or if that runs work inside `enqueue`.
  ///   - scheduler: where it is subscribed. If it is shut down before, the run ends without an event.
  @inlinable
  public func delaySubscription(
    _ delay: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> {
    Signal.timer(after: delay, on: scheduler).setFailureType(to: Failure.self).then { [signal] in signal }
  }
}

/// An event that is not due yet.
@frozen @usableFromInline
struct Delayed<Value> {
  @usableFromInline let event: Event<Value, Never>
  @usableFromInline let due: Duration

  @inlinable
  init(event: Event<Value, Never>, due: Duration) {
    self.event = event
    self.due = due
  }
}
