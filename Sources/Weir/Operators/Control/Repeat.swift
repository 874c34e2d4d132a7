// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs the signal again whenever it completes, for ever; only a failure or disposal ends it.
  ///
  /// The signal is subscribed again on the thread on which it completed, without growing the stack; values
  /// are forwarded on the thread that sends them. Downstream may end it, as ``take(first:)`` does, even
  /// between two values of a synchronous signal. Buffers nothing. If a run lets go without a terminal event,
  /// this ends without one. Retains the signal while there is another run to come. So a `repeat` of a hot
  /// source retains that until it is disposed: a subject that nobody else holds and that never ends is then
  /// never released. For a hot source that has completed, such as a ``Subject``, this never returns: it
  /// completes again at once.
  ///
  /// ReactiveObjC: `-repeat`, which puts each run on the current scheduler.
  @inlinable
  public func `repeat`() -> Signal<Value, Failure> { `repeat`(budget: .max) }

  /// Runs the signal `count` times, each run after the completion of the one before it, and completes with
  /// the last. With 0 it completes at once and does not run the signal. The rest is as with ``repeat()``.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable
  public func `repeat`(times count: Int) -> Signal<Value, Failure> {
    require(count >= 0, "weir: repeat(times: \(count)): the count must not be negative")
    return `repeat`(budget: count)
  }

  @inlinable
  func `repeat`(budget: Int) -> Signal<Value, Failure> {
    Signal(attaching: { [signal] sink, _ in
      // Not retained during its last run: it may hold a subject that is released meanwhile.
      let source = OperatorState(budget > 0 ? signal : nil)
      let left = OperatorState(budget)
      SequentialRun(into: sink) { completion in
        guard case .completed = completion, let signal = source.value else { return nil }
        // A budget of `.max` means for ever, and is not spent.
        if budget != .max { left.value -= 1 }
        if left.value == 0 { source.value = nil }
        return signal
      }.advance(after: .completed)
    })
  }
}
