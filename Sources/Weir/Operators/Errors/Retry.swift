// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs the signal again when it fails, up to `count` more times, and passes the last failure on.
  ///
  /// Each subscription counts afresh. The signal is subscribed again where it failed, after the failed run was disposed, without
  /// growing the stack. With 0 it is run once. Values and completion pass through; buffers nothing. It keeps the signal
  /// while it runs.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-retry:`, where 0 means for ever: that is ``retry()`` here.
  public func retry(upTo count: Int) -> Signal<Value, Failure> {
    precondition(count >= 0, "weir: retry(upTo: \(count)): the count must not be negative")
    return retry(budget: count)
  }

  /// Runs the signal again whenever it fails, for ever. The rest is as with ``retry(upTo:)``.
  ///
  /// ReactiveObjC: `-retry`.
  public func retry() -> Signal<Value, Failure> { retry(budget: .max) }

  private func retry(budget: Int) -> Signal<Value, Failure> {
    Signal(connecting: { [signal] sink in
      // The first run counts as one of them.
      let left = SubscriptionState(budget == .max ? budget : budget + 1)
      let hasBegun = SubscriptionState(false)
      SequentialRun(into: sink) { completion in
        if case .finished = completion, hasBegun.value { return nil }
        hasBegun.value = true
        guard left.value > 0 else { return nil }
        if left.value != .max { left.value -= 1 }
        return signal
      }.advance(after: .finished)
    })
  }

  /// Runs the signal again whenever it completes, for ever; it ends with a failure or by being disposed.
  ///
  /// The signal is subscribed again where it completed, without growing the stack. What is downstream may end it, as
  /// ``take(first:)`` does, also between two values of a synchronous signal. Buffers nothing. It keeps the signal while it runs.
  ///
  /// ReactiveObjC: `-repeat`, which puts each run on the current scheduler.
  public func `repeat`() -> Signal<Value, Failure> {
    Signal(connecting: { [signal] sink in
      SequentialRun(into: sink) { completion in
        if case .finished = completion { signal } else { nil }
      }.advance(after: .finished)
    })
  }
}
