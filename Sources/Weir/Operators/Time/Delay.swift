// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Sends values and the completion later, in order.
  ///
  /// They are sent on the scheduler, even if the delay is zero: then not inside the call that sends them,
  /// unless the scheduler runs work inside `enqueue`. All that are due when the timer fires are sent
  /// together. A failure is forwarded at once, on the thread on which the source fails, or on one that is
  /// already delivering, and pending values are dropped, as they are on disposal. If the source lets go
  /// without a terminal event, pending values are still sent, and then the run ends.
  ///
  /// Buffers the values that are not due, and uses one timer for all of them. A value costs one turn (see
  /// ``Subject``) and one reading of the clock. Values that arrive while others are being sent on the
  /// scheduler wait in the queue of the turn, which is unbounded: only after that are they counted, and
  /// dropped or failed if there are too many. So if the subscriber is slower than the source for long, put
  /// ``observe(on:_:waiting:failures:)`` behind this operator, with a bound there.
  ///
  /// - Parameters:
  ///   - delay: how much later they are sent.
  ///   - scheduler: where values and the completion are sent. If it is shut down, the run ends without an
  ///     event when the next of them is due.
  ///   - backlog: how many values may be buffered: 1,048,576 by default. If one too many fails the signal,
  ///     that is like a failure of the source.
  ///
  /// ReactiveObjC: `-delay:`.
  @inlinable @inline(__always)
  public func delay(
    _ delay: Duration, on scheduler: some TimedScheduler, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<Value, Failure> {
    self.delay(delay, by: TimerTarget(scheduler), waiting: backlog)
  }

  @inlinable
  func delay(
    _ delay: Duration, by target: TimerTarget, waiting backlog: Backlog<Failure>
  ) -> Signal<Value, Failure> {
    let delay = delay.bounded
    return Signal(attaching: { [source = signal] sink, _ in
      let next = sink.next
      let waiting = OperatorState(FIFO<Delayed<Value>>())
      let timer = RunTimer<Delayed<Value>, Failure>(on: target)
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
            // With a bound of 0, the new value is itself the oldest one.
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
              return sink.terminate(.completed)
            }
            next(value)
            // Disposed, or a failure is waiting for the turn: it overtakes the other values.
            if timer.isEnding { return }
          }
          timer.letGo()
        },
        drop: drop)
      // The time counts from now, not from when the event gets the turn.
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
