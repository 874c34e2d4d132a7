// Part of Weir. SPDX-License-Identifier: Apache-2.0

// What an operator that has a timer does in its turn. How the timer works is in RunTimer.swift.

/// An item for the turn of a run that has a timer.
@frozen @usableFromInline
enum RunItem<Arrival> {
  /// The upstream has sent something.
  case arrival(Arrival)
  /// The timer has fired and got the turn.
  case fired
  /// Sets the timer for the first time.
  case wait
  /// The timer has fired and not got the turn.
  case missed
}

/// A value, for operators that count time from when it was sent.
@frozen @usableFromInline
struct Sent<Value> {
  @usableFromInline let value: Value
  /// When it was sent, if it had to wait for the turn. Nil if it was sent just now: the clock is read only if
  /// the time is needed.
  @usableFromInline let time: Duration?

  @inlinable
  init(_ value: Value, at time: Duration? = nil) {
    self.value = value
    self.time = time
  }
}

/// What the holder of the turn does about a missed timer.
@frozen @usableFromInline
enum Missed: Sendable {
  /// Sets the timer again, due at once. For operators that do not hold the turn for long when something
  /// arrives, or leave nothing to the timer then.
  case again
  /// Does the work of the timer if it is on the scheduler. Otherwise as `again`, but disposes the source
  /// first, so that nothing else arrives.
  case stop(source: Subscription)
  /// Does the work of the timer.
  case act
}

extension RunTimer {
  /// Makes a delivery that calls `arrived` for each arrival and `fired` when the timer is due, both in its
  /// turn.
  ///
  /// - Parameter missed: what the holder of the turn does if the timer has not got it.
  @inlinable @inline(__always)
  func delivery<Output>(
    to sink: Sink<Output, Failure>, arrived: @escaping @Sendable (Arrival) -> Void,
    fired: @escaping @Sendable () -> Void, missed: Missed = .again
  ) -> Delivery {
    delivery(
      in: sink.subscription, arrived: arrived, fired: fired, missed: missed, terminate: sink.terminate)
  }

  /// The same for an operator with an action of its own at the end.
  @inlinable @inline(__always)
  func delivery(
    in subscription: Subscription, arrived: @escaping @Sendable (Arrival) -> Void,
    fired: @escaping @Sendable () -> Void, missed: Missed = .again,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> Delivery {
    let delivery = Delivery(
      to: Sink(
        next: { item in
          switch item {
          case .arrival(let arrival): arrived(arrival)
          case .fired: if self.isDue { fired() }
          case .missed: if self.isDue, self.isToAct(missed) { fired() }
          case .wait: self.keep(until: self.due)
          }
        },
        terminate: terminate, subscription: subscription))
    belong(to: delivery, of: subscription)
    return delivery
  }

  /// The same for an operator that buffers values: `fired` sends them before a completion, too; `drop` drops
  /// them before a failure is forwarded.
  @inlinable @inline(__always)
  func delivery<Output>(
    to sink: Sink<Output, Failure>, arrived: @escaping @Sendable (Arrival) -> Void,
    fired: @escaping @Sendable () -> Void, drop: @escaping @Sendable () -> Void
  ) -> Delivery {
    delivery(
      in: sink.subscription, arrived: arrived, fired: fired,
      terminate: { completion in
        switch completion {
        case .completed:
          fired()
          if !sink.isEnded { sink.terminate(completion) }
        case .failed(let error):
          drop()
          // Dropping runs user code, which may have ended the run; so may a closure that throws.
          sink.fail(thrown: error)
        }
      })
  }

  /// Fails the run of an operator that buffers values, because of one too many.
  @inlinable
  func fail<Output>(_ error: Failure, to sink: Sink<Output, Failure>, dropping drop: () -> Void) {
    drop()
    endUpstreams()
    sink.fail(thrown: error)
  }
}
