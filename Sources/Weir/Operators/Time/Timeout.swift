// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What must happen in time; see ``SignalConvertible/timeout(_:on:failing:)``. ReactiveObjC has the deadline
/// only.
@frozen
public enum TimeoutPolicy: Hashable, Sendable {
  /// The signal must end within this time, counted from its subscription, whatever it sends.
  case deadline(Duration)
  /// Each event must follow within this time: the first value, each later one, and the completion. It is
  /// counted from the subscription, and then from the moment at which a value has been delivered.
  case idle(Duration)

  @inlinable var limit: Duration {
    switch self {
    case .deadline(let limit), .idle(let limit): limit
    }
  }
}

/// The error with which ``SignalConvertible/timeout(_:on:)`` itself fails.
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
  /// When the time is up, the signal is disposed first, and then the failure is sent, on the scheduler.
  /// Events are forwarded on the sending thread, or on one that is already delivering; the end of the signal
  /// cancels the timer, and so does disposal. If the deadline passes while a value is being delivered, the
  /// failure follows that value, even if the signal was about to complete, and a ``retry(_:)`` downstream
  /// runs it again: for a request that has one answer, put ``take(first:)`` behind this. With
  /// ``TimeoutPolicy/idle(_:)`` the time of a delivery does not count. A source that lets go without a
  /// terminal event, or never retained its observer, counts as one that takes too long. If the run ends while
  /// the signal is being disposed for the timeout, by a clean-up or by another thread, nobody receives
  /// `error`: it goes to ``UnhandledErrors``. With a time of zero or less the signal is still subscribed, and
  /// what it sends before the scheduler runs passes. Uses one timer, which is not reset for each value; a
  /// value costs one turn (see ``Subject``), and with ``TimeoutPolicy/idle(_:)`` one reading of the clock.
  /// Buffers only what arrives during a delivery, in an unbounded queue.
  ///
  /// - Parameters:
  ///   - policy: what must happen in time.
  ///   - scheduler: where the timer fires. If it is shut down, the run ends without an event when its timer
  ///     would have fired, even if values have arrived since it was set.
  ///   - error: the error to fail with.
  ///
  /// ReactiveObjC: `-timeout:onScheduler:`, which has a deadline.
  @inlinable @inline(__always)
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler, failing error: Failure
  ) -> Signal<Value, Failure> {
    // A clean-up of the signal may have ended the run.
    timeout(policy, by: TimerTarget(scheduler)) { sink in sink.fail(thrown: error) }
  }

  /// Continues with `replacement` when the signal takes too long.
  ///
  /// The signal is disposed first, and then the replacement is subscribed, on the scheduler; its events are
  /// forwarded. The rest is as with ``timeout(_:on:failing:)``. ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - policy: what must happen in time.
  ///   - scheduler: where the timer fires.
  ///   - replacement: the signal to continue with. It has the failure type of this signal, or cannot fail.
  @inlinable @inline(__always)
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler,
    switchingTo replacement: some SignalConvertible<Value, Failure>
  ) -> Signal<Value, Failure> {
    timeout(policy, by: TimerTarget(scheduler), switchingTo: replacement.signal)
  }

  /// The same as ``timeout(_:on:switchingTo:)``, for a replacement that cannot fail.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable @inline(__always)
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler,
    switchingTo replacement: some SignalConvertible<Value, Never>
  ) -> Signal<Value, Failure> {
    timeout(policy, on: scheduler, switchingTo: replacement.setFailureType(to: Failure.self))
  }

  @inlinable
  func timeout(
    _ policy: TimeoutPolicy, by target: TimerTarget, switchingTo replacement: Signal<Value, Failure>
  ) -> Signal<Value, Failure> {
    let source = signal
    return Signal(
      .sequence,
      attaching: { sink, _ in
        let sequence = sink.sequence
        // Not owned, as in `catch`.
        let timed = source.timeout(policy, by: target) { [unowned sequence] sink in
          if !sink.isEnded { sink.goOn(as: replacement, in: sequence) }
        }
        if let sequence { sequence.put(timed) } else { timed.attach(sink) }
      })
  }

  /// Hands the run over to `goOn` when the signal takes too long. By then the signal has been disposed, which
  /// may have ended the run, and sends nothing any more.
  @inlinable
  func timeout(
    _ policy: TimeoutPolicy, by target: TimerTarget,
    then goOn: @escaping @Sendable (consuming Sink<Value, Failure>) -> Void
  ) -> Signal<Value, Failure> {
    let limit = policy.limit.bounded
    return Signal(attaching: { [source = signal] sink, _ in
      let next = sink.ungatedNext
      let timer = RunTimer<Value, Failure>(after: limit, on: target)
      let upstream = Subscription()
      let delivery = timer.delivery(
        to: sink,
        arrived: { value in
          next(value)
          if case .idle = policy { timer.set(to: timer.now.adding(limit)) }
        },
        fired: {
          timer.endUpstreams()
          // Otherwise a value that is waiting for the turn would be sent after the events of `goOn`. As this
          // is inside the turn, the code that gives up the turn releases what the delivery holds.
          timer.core?.endDelivery()
          goOn(sink)
        },
        missed: .stop(source: upstream))
      delivery.upstreams.adopt(upstream)
      delivery.send(.wait)
      delivery.listen(to: source, by: upstream) { delivery.send(.arrival($0)) }
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
  @inlinable @inline(__always)
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler
  ) -> Signal<Value, any Error> {
    timeout(policy, on: scheduler, failing: TimeoutError(policy: policy))
  }
}
