// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Sends a value once no other has followed it for some time.
  ///
  /// Each value replaces the one that waits and starts the time anew: from when the source sends it, also if
  /// another one is being delivered then. What has waited comes on the scheduler; if the time is zero, too,
  /// and then not inside the call that sent it, unless the scheduler runs work inside `enqueue`. A value
  /// whose time is up before the subscriber is free comes right after that, if no other has replaced it.
  ///
  /// Completion sends what waits first, and is passed on at once, both where the source completes; a failure
  /// is passed on at once, and what waits is dropped. If the source lets go without a terminal event, what
  /// waits is still sent, and then the run ends.
  ///
  /// Keeps one value and one timer, which is not set anew for each value; a value costs one turn (see
  /// ``Subject``) and a look at the clock. What comes while a value is being delivered waits in the queue of
  /// the turn, which has no bound: one replaces the other when that has been delivered. So a subscriber that
  /// is slower than the source for long wants ``observe(on:_:waiting:failures:)`` behind this operator, with
  /// a bound there. From a steady flow nothing would come here; for that, see ``rateLimit(to:edge:on:)``.
  ///
  /// - Parameters:
  ///   - quiet: how long nothing else must come.
  ///   - scheduler: where the timer fires. If it is shut down, the run ends without an event when its timer
  ///     would have fired, also if nothing waits any more.
  ///
  /// ReactiveObjC: `-throttle:`.
  @inlinable
  public func debounce(_ quiet: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
    debounce(quiet, on: scheduler, where: { _ in true })
  }

  /// Sends a value once no other has followed it for some time, or at once if it need not wait.
  ///
  /// A value for which `isPostponed` is false is sent where the source sends, and what waits is dropped. The
  /// rest is as with ``debounce(_:on:)``; an error that the closure throws is like a failure of the source.
  ///
  /// - Parameters:
  ///   - quiet: how long nothing else must come.
  ///   - scheduler: where the timer fires. If it is shut down, the run ends without an event when its timer
  ///     would have fired, also if nothing waits any more.
  ///   - isPostponed: whether a value has to wait. Called where the source sends.
  ///
  /// ReactiveObjC: `-throttle:valuesPassingTest:`.
  @inlinable
  public func debounce<Target: TimedScheduler>(
    _ quiet: Duration, on scheduler: Target,
    where isPostponed: @escaping @Sendable (Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    let quiet = quiet.bounded
    return Signal(connecting: { [source = signal] sink in
      let next = sink.next
      let waiting = SubscriptionState<Value?>(nil)
      let timer = RunTimer<Target, DebounceArrival<Value>, Failure>(on: scheduler)
      let delivery = timer.delivery(
        to: sink,
        arrived: { arrival in
          switch arrival {
          case .postponed(let value, let due):
            waiting.value = value
            timer.keep(until: due)
          case .urgent(let value):
            waiting.value = nil
            timer.letGo()
            next(value)
          }
        },
        fired: {
          guard let value = waiting.value else { return }
          waiting.value = nil
          timer.letGo()
          next(value)
        },
        drop: { waiting.value = nil })
      // Due from now, and not from when it gets the turn.
      delivery.listen(
        to: source,
        next: { value in
          do throws(Failure) {
            delivery.send(
              .arrival(
                try isPostponed(value)
                  ? .postponed(value, due: timer.now.adding(quiet)) : .urgent(value)))
          } catch {
            delivery.terminate(.failed(error))
          }
        })
    })
  }
}

@frozen @usableFromInline
enum DebounceArrival<Value> {
  case postponed(Value, due: Duration)
  case urgent(Value)
}
