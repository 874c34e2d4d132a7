// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs the signal again when it fails, as `policy` says, and forwards the failure when that gives up.
  ///
  /// Each subscription has its own count. The signal is subscribed again on the thread on which it failed, or
  /// on which the delay fired, after the failed run was disposed, without growing the stack. Disposal also
  /// ends the wait for a delay. Values and completion pass through; buffers nothing. If a run lets go without
  /// a terminal event, this ends without one. Retains the signal while there may be another run. So a `retry`
  /// of a hot source retains that until it is disposed: a subject that nobody else holds and that never ends
  /// is then never released.
  ///
  /// A hot source that has failed, such as a ``Subject``, fails again whenever it is subscribed: trying again
  /// helps only if the signal is made anew for each run, as ``Signal/deferred(_:)`` does.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable
  public func retry(_ policy: RetryPolicy<Failure>) -> Signal<Value, Failure> {
    Signal(attaching: { [signal] sink, _ in
      let attempts = OperatorState(0)
      let hasLasted = policy.watch.map { _ in OperatorState<(@Sendable () -> Bool)?>(nil) }
      var runs = policy.resetsOnValue ? signal.doNext { _ in attempts.value = 1 } : signal
      if let hasLasted, let watch = policy.watch { runs = runs.initially { hasLasted.value = watch() } }
      let source = OperatorState<Signal<Value, Failure>?>(runs)
      SequentialRun(into: sink) { completion in
        if hasLasted?.value?() == true { attempts.value = 1 }
        let attempt = attempts.value
        guard attempt <= policy.limit, let signal = source.value else { return nil }
        attempts.value = attempt + 1
        // Not retained during its last run: it may hold a subject that is released meanwhile. Where a run may
        // start the count over, none is known to be the last.
        if attempt == policy.limit, !policy.resets { source.value = nil }
        switch completion {
        // `advance` below starts the first run, after a completion that never happened.
        case .completed: return attempt == 0 ? signal : nil
        case .failed(let error):
          return policy.run(signal, after: error, attempt: attempt, in: sink.subscription)
        }
      }.advance(after: .completed)
    })
  }

  /// Runs the signal again when it fails, up to `count` more times, and forwards the last failure. With 0 it
  /// is run once. The rest is as with ``retry(_:)``.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-retry:`, where 0 means for ever: that is ``retry()`` here.
  @inlinable
  public func retry(upTo count: Int) -> Signal<Value, Failure> { retry(.upTo(count)) }

  /// Runs the signal again whenever it fails, for ever. The rest is as with ``retry(_:)``. For a subject that
  /// has failed this never returns: it fails again at once.
  ///
  /// ReactiveObjC: `-retry`.
  @inlinable
  public func retry() -> Signal<Value, Failure> { retry(.forever) }
}
