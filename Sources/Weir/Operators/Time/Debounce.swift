// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Sends a value once no other has followed it for some time.
  ///
  /// Each value replaces the pending one and restarts the time, which counts from when the source sends the
  /// value, even if another one is being delivered then. A pending value is sent on the scheduler, even if
  /// the time is zero: then not inside the call that sent it, unless the scheduler runs work inside
  /// `enqueue`. If its time is up while the subscriber is busy, it is sent right after that, unless another
  /// value has replaced it.
  ///
  /// When the source completes, the pending value is sent at once, and then the completion, both on that
  /// thread, or on one that is already delivering; a failure is forwarded at once in the same way, and the
  /// pending value is dropped. If the source lets go without a terminal event, the pending value is still
  /// sent, and then the run ends.
  ///
  /// Retains one value and one timer, which is not reset for each value; a value costs one turn (see
  /// ``Subject``) and one reading of the clock. Values that arrive while one is being delivered wait in the
  /// queue of the turn, which is unbounded: only after that delivery do they replace each other. So if the
  /// subscriber is slower than the source for long, put ``observe(on:_:waiting:failures:)`` behind this
  /// operator, with a bound there. Of a steady flow this operator sends nothing; for that, see
  /// ``rateLimit(to:on:edge:)``.
  ///
  /// - Parameters:
  ///   - quiet: how long no other value must follow.
  ///   - scheduler: where the timer fires. If it is shut down, the run ends without an event when its timer
  ///     would have fired, even if no value is pending any more.
  ///
  /// ReactiveObjC: `-throttle:`.
  @inlinable @inline(__always)
  public func debounce(_ quiet: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
    debounce(quiet, by: TimerTarget(scheduler), where: { _ in true })
  }

  /// Sends a value once no other has followed it for some time, or at once if `isPostponed` is false for it.
  ///
  /// A value for which `isPostponed` is false is sent on the sending thread, or on one that is already
  /// delivering, and the pending one is dropped. The rest is as with ``debounce(_:on:)``; an error thrown by
  /// the closure is treated as a failure of the source.
  ///
  /// - Parameters:
  ///   - quiet: how long no other value must follow.
  ///   - scheduler: where the timer fires. If it is shut down, the run ends without an event when its timer
  ///     would have fired, even if no value is pending any more.
  ///   - isPostponed: returns whether a value has to wait. Called on the sending thread.
  ///
  /// ReactiveObjC: `-throttle:valuesPassingTest:`.
  @inlinable @inline(__always)
  public func debounce(
    _ quiet: Duration, on scheduler: some TimedScheduler,
    where isPostponed: @escaping @Sendable (Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    debounce(quiet, by: TimerTarget(scheduler), where: isPostponed)
  }

  @inlinable
  func debounce(
    _ quiet: Duration, by target: TimerTarget,
    where isPostponed: @escaping @Sendable (Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    let quiet = quiet.bounded
    return Signal(attaching: { [source = signal] sink, _ in
      let next = sink.next
      let waiting = OperatorState<Value?>(nil)
      let timer = RunTimer<DebounceArrival<Value>, Failure>(on: target)
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
      // The time counts from now, not from when the value gets the turn.
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
