// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What must happen in time; see ``SignalConvertible/timeout(_:on:failing:)``. ReactiveObjC has the deadline
/// only.
@frozen
public enum TimeoutPolicy: Hashable, Sendable {
  /// The signal must end within this time, counted from its subscription, whatever it sends.
  case deadline(Duration)
  /// Values must follow each other within this time: the first one, and the completion, too. It is counted
  /// from the subscription, and then from the moment a value was delivered.
  case idle(Duration)

  @inlinable var limit: Duration {
    switch self {
    case .deadline(let limit), .idle(let limit): limit
    }
  }
}

/// Why ``SignalConvertible/timeout(_:on:)`` fails by itself.
///
/// ReactiveObjC: `RACSignalErrorTimedOut`.
public struct TimeoutError: Error, Hashable {
  /// What did not happen in time.
  public let policy: TimeoutPolicy

  /// - Parameter policy: what did not happen in time.
  public init(policy: TimeoutPolicy) { self.policy = policy }
}

extension SignalConvertible {
  /// Fails with `error` when the signal takes too long.
  ///
  /// The signal is disposed first, then the failure is sent, on the scheduler. Events pass where the source
  /// sends them; its end takes the timer back, and so does disposal. If the deadline passes while a value is
  /// being delivered, the signal is disposed after that; with ``TimeoutPolicy/idle(_:)`` the time of a
  /// delivery does not count. A source that lets go without a terminal event, or never kept its observer, is
  /// one that takes too long. If the run ends while the signal is being disposed for that, by a clean-up or
  /// by another thread, nobody receives `error`: it goes to ``UnhandledErrors``. Keeps one timer, which is
  /// not set anew for each value; a value costs one turn (see ``Subject``), with ``TimeoutPolicy/idle(_:)``
  /// also a look at the clock. Buffers nothing unless values meet, and then in a queue without a bound.
  ///
  /// - Parameters:
  ///   - policy: what must happen in time.
  ///   - scheduler: where the timer fires. If it is shut down, the run ends without an event when its timer
  ///     would have fired, also if values have come since it was set.
  ///   - error: what it fails with.
  ///
  /// ReactiveObjC: `-timeout:onScheduler:`, which has a deadline.
  @inlinable
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler, failing error: Failure
  ) -> Signal<Value, Failure> {
    // A clean-up of the signal may have ended the run.
    timeout(policy, on: scheduler) { sink in sink.fail(thrown: error) }
  }

  /// Goes on with `replacement` when the signal takes too long.
  ///
  /// The signal is disposed first, then the replacement is subscribed, on the scheduler; it sends as it
  /// likes, and ends the run. The rest is as with ``timeout(_:on:failing:)``. ReactiveObjC has no such
  /// operator.
  ///
  /// - Parameters:
  ///   - policy: what must happen in time.
  ///   - scheduler: where the timer fires.
  ///   - replacement: what is run then.
  @inlinable
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler,
    switchingTo replacement: some SignalConvertible<Value, Failure>
  ) -> Signal<Value, Failure> {
    let (source, replacement) = (signal, replacement.signal)
    return Signal(
      .sequence,
      connecting: { sink in
        let sequence = sink.sequence
        // Not owned, as by catch.
        let timed = source.timeout(policy, on: scheduler) { [unowned sequence] sink in
          if !sink.isEnded { sink.goOn(as: replacement, in: sequence) }
        }
        if let sequence { sequence.waiting.append(timed) } else { timed.attach(sink) }
      })
  }

  /// Leaves the run to `goOn` when the signal takes too long. By then the signal has been disposed, which may
  /// have ended the run, and nothing of it comes any more.
  @inlinable
  func timeout<Target: TimedScheduler>(
    _ policy: TimeoutPolicy, on scheduler: Target,
    then goOn: @escaping @Sendable (Sink<Value, Failure>) -> Void
  ) -> Signal<Value, Failure> {
    let limit = policy.limit.bounded
    return Signal(connecting: { [source = signal] sink in
      let next = sink.direct
      let timer = RunTimer<Target, Value, Failure>(after: limit, on: scheduler)
      let upstream = Subscription()
      let delivery = timer.delivery(
        to: sink,
        arrived: { value in
          next(value)
          if case .idle = policy { timer.set(to: timer.now.adding(limit)) }
        },
        fired: {
          timer.endUpstreams()
          // Or a value that waits for the turn would come behind what `goOn` sends. As this is inside of the
          // turn, who gives that up releases what the delivery keeps.
          timer.core?.dispose()
          goOn(sink)
        },
        missed: .stop(source: upstream))
      delivery.upstreams.adopt(upstream)
      delivery.send(.wait)
      delivery.listen(
        to: source, by: upstream, next: { delivery.send(.arrival($0)) },
        completed: { delivery.terminate(.finished) })
    })
  }
}

extension SignalConvertible where Failure == any Error {
  /// Fails with a ``TimeoutError`` when the signal takes too long.
  ///
  /// For signals that may fail with any error. The rest is as with ``timeout(_:on:failing:)``.
  ///
  /// - Parameters:
  ///   - policy: what must happen in time.
  ///   - scheduler: where the timer fires.
  ///
  /// ReactiveObjC: `-timeout:onScheduler:`.
  @inlinable
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler
  ) -> Signal<Value, any Error> {
    timeout(policy, on: scheduler, failing: TimeoutError(policy: policy))
  }
}
