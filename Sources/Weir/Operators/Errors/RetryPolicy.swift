// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What ``SignalConvertible/retry(_:)`` does after a failure: how often and when the signal is run again, and
/// after which errors it is not.
///
/// ```swift
/// let policy = RetryPolicy<ReadError>.upTo(5)
///   .givingUp { error, _ in error == .forbidden }
///   .delayed(by: .seconds(1), on: scheduler)
/// ```
///
/// Closures get the error and the number of the attempt that failed with it; the first run is attempt 1, and
/// so is a run that ``resettingOnValue()`` or ``resettingAfterRun(of:on:)`` counts as one. They are called on
/// the thread on which the signal failed, after the failed run was disposed. The count is checked first, then
/// ``givingUp(when:)``; then ``onRetry(_:)`` is called, and the delay comes last. ReactiveObjC has nothing
/// like it.
public struct RetryPolicy<Failure: Error>: Sendable {
  /// How often the signal is run again.
  @usableFromInline let limit: Int
  /// Whether a value starts the count over.
  @usableFromInline var resetsOnValue = false
  /// Notes that a run starts; what it returns says whether that run has lasted long enough to start the count
  /// over.
  @usableFromInline var watch: (@Sendable () -> @Sendable () -> Bool)?
  @usableFromInline var decisions: [@Sendable (Failure, Int) -> Bool] = []
  @usableFromInline var actions: [@Sendable (Failure, Int) -> Void] = []
  @usableFromInline var delays: [@Sendable (Failure, Int) -> Signal<Void, Never>?] = []

  /// Whether a run may start the count over.
  @inlinable var resets: Bool { resetsOnValue || watch != nil }

  @inlinable
  init(limit: Int) { self.limit = limit }

  /// Runs the signal again whenever it fails, at once, on the thread on which it failed.
  ///
  /// ReactiveObjC: `-retry`.
  @inlinable public static var forever: RetryPolicy { RetryPolicy(limit: .max) }

  /// Runs the signal again when it fails, at once, on the thread on which it failed, up to `count` times:
  /// `count + 1` runs in all. The failure of the last one is forwarded.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-retry:`, where 0 means for ever.
  @inlinable
  public static func upTo(_ count: Int) -> RetryPolicy {
    require(count >= 0, "weir: retry(upTo: \(count)): the count must not be negative")
    return RetryPolicy(limit: count)
  }

  /// The same policy, but a failure for which `decision` is true is forwarded, on the thread on which the
  /// signal failed. Of several decisions, any one may give up.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public func givingUp(when decision: @escaping @Sendable (Failure, _ attempt: Int) -> Bool) -> RetryPolicy {
    var policy = self
    policy.decisions.append(decision)
    return policy
  }

  /// The same policy, but counting only failures in a row: a run that has sent a value counts as the first
  /// attempt.
  ///
  /// For feeds that last. When such a run fails, pauses that grow begin with the first one again, the
  /// closures of the policy get attempt number 1, and ``upTo(_:)`` allows as many more runs as at the
  /// beginning: it then limits the failures in a row. With ``upTo(_:)`` of 0 the signal is still run once
  /// only. A signal that sends a value before each failure is run again for ever, unless a closure gives up.
  ///
  /// Each value costs one more call. The signal is kept through its last attempt, too, since a value would
  /// allow more. Where the modifier stands among the others makes no difference.
  ///
  /// A feed that begins each run with a greeting or a snapshot has sent a value before it is known to work:
  /// if it then fails again and again, its pauses never grow. For that, use ``resettingAfterRun(of:on:)``.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public func resettingOnValue() -> RetryPolicy {
    var policy = self
    policy.resetsOnValue = true
    return policy
  }

  /// The same policy, but a run that has lasted at least `duration` counts as the first attempt, whether it
  /// has sent values or not.
  ///
  /// For feeds that greet whoever connects, and for those that are often silent. After such a run the count
  /// and the pauses begin again, as with ``resettingOnValue()``; if a policy has both, either is enough.
  ///
  /// ```swift
  /// let policy = RetryPolicy<ReadError>.forever
  ///   .backoff(from: .seconds(1), upTo: .seconds(60), on: scheduler)
  ///   .resettingAfterRun(of: .seconds(120), on: scheduler)
  /// ```
  ///
  /// The time counts from when the run is subscribed, after the pause before it, until it fails. A `timeout`
  /// that ends silent runs must be shorter than `duration`, or each of them would last long enough. A value
  /// costs nothing, a run two readings of the clock; there is no timer. The signal is kept through its last
  /// attempt, too, since that may turn out not to be the last. Where the modifier stands among the others
  /// makes no difference. Replaces an earlier duration.
  ///
  /// - Parameters:
  ///   - duration: how long a run must last.
  ///   - scheduler: the scheduler whose clock is read; nothing is scheduled.
  /// - Precondition: `duration` is positive.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public func resettingAfterRun(of duration: Duration, on scheduler: some TimedScheduler) -> RetryPolicy {
    require(
      duration > .zero, "weir: resettingAfterRun(of: \(duration)): the duration must be positive")
    var policy = self
    policy.watch = {
      let start = scheduler.clock.now
      return { start.duration(to: scheduler.clock.now) >= duration }
    }
    return policy
  }

  /// The same policy, but `action` is called with each failure that is followed by another attempt, before
  /// the pause: to log or count retries. The last failure, which is forwarded, does not call it.
  ///
  /// ```swift
  /// .onRetry { error, attempt in log("attempt \(attempt) failed: \(error)") }
  /// ```
  ///
  /// Several actions are called in order. One that disposes the run prevents the attempt.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public func onRetry(_ action: @escaping @Sendable (Failure, _ attempt: Int) -> Void) -> RetryPolicy {
    var policy = self
    policy.actions.append(action)
    return policy
  }

  /// The same policy, but the next attempt waits for the signal that `delay` returns: for its first value or
  /// its completion. Where it returns nil, the delay that the policy has had so far applies, or none.
  ///
  /// ```swift
  /// // A service may say how long it wants to be left alone.
  /// let policy = RetryPolicy<Refusal>.upTo(3)
  ///   .backoff(from: .seconds(1), upTo: .seconds(30), on: scheduler)
  ///   .delayed { refusal, _ in refusal.retryAfter.map { Signal.timer(after: $0, on: scheduler) } }
  /// ```
  ///
  /// That signal is subscribed on the thread on which the run failed. When it fires, it is disposed, and then
  /// the next attempt starts, on the thread on which it fired. If it lets go without a terminal event and has
  /// sent no value, the run ends without an event, and the failure goes to ``UnhandledErrors``.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public func delayed<Trigger>(
    by delay: @escaping @Sendable (Failure, _ attempt: Int) -> Signal<Trigger, Never>?
  ) -> RetryPolicy {
    var policy = self
    policy.delays.append { error, attempt in delay(error, attempt)?.take(first: 1).map { _ in } }
    return policy
  }

  /// What to run after `attempt` failed with `error`, if the count allows it; nil to forward the failure.
  ///
  /// - Parameter whole: the run of all attempts.
  @inlinable
  func run<Value>(
    _ signal: Signal<Value, Failure>, after error: Failure, attempt: Int, in whole: Subscription
  ) -> Signal<Value, Failure>? {
    // Each closure may have disposed the run.
    for givesUp in decisions where givesUp(error, attempt) || whole.isDisposed { return nil }
    for action in actions {
      action(error, attempt)
      if whole.isDisposed { return nil }
    }
    for delay in delays.reversed() {
      let trigger = delay(error, attempt)
      if whole.isDisposed { return nil }
      guard let trigger else { continue }
      return trigger.lift { (sink: Sink<Void, Never>) in
        let pause = RetryPause(after: error, in: whole, then: sink.terminate)
        return sink.upstream(next: sink.next, terminate: pause.end)
      }.setFailureType(to: Failure.self).then { signal }
    }
    return signal
  }
}

/// The pause between a failure and the next attempt. If the signal that it waits for lets go without a
/// terminal event, nobody receives the failure any more: it is reported, unless the run was disposed.
@usableFromInline
final class RetryPause<Failure: Error>: @unchecked Sendable {
  // Unchecked: ended by the one terminal event of the signal that it waits for, released after it.
  @exclusivity(unchecked) @usableFromInline var error: Failure?
  @usableFromInline let whole: Subscription
  /// This closure may be the last owner of the run. Stored here, it is released after `deinit` has looked at
  /// the run.
  @usableFromInline let goOn: @Sendable (Completion<Never>) -> Void

  @inlinable
  init(
    after error: Failure, in whole: Subscription, then goOn: @escaping @Sendable (Completion<Never>) -> Void
  ) {
    (self.error, self.whole, self.goOn) = (error, whole, goOn)
  }

  @inlinable
  deinit { if let error, !whole.isDisposed { whole.report(error) } }

  @inlinable
  func end(with completion: Completion<Never>) {
    error = nil
    goOn(completion)
  }
}
