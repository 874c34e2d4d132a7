// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Runs `signals` one after the other: each starts when the one before it has completed.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `Signal<Int, ReadError>.concat(signals).map { … }`: see <doc:Operators>.
  ///
  /// A failure ends the run, and later signals are not run. If a signal lets go without a terminal event, the
  /// run ends at once without one, and later signals are not run either. Each signal is subscribed on the
  /// thread on which its predecessor completed; values are forwarded on the thread that sends them. Completes
  /// with the last signal, or at once if there are none. Buffers nothing; any number of signals use constant
  /// stack, even if each continues as the next one, by a `concat` of its own.
  ///
  /// ReactiveObjC: `+concat:`.
  @inlinable
  public static func concat(_ signals: [Signal]) -> Signal {
    Signal(
      .sequence,
      attaching: { sink, _ in
        if let sequence = sink.sequence { return sequence.put(signals) }
        let run = SequentialRun(into: consume sink)
        run.put(signals)
        run.advance(after: .completed)
      })
  }

  /// Runs two or more signals one after the other: `Signal.concat(stored, live)`. The rest is as with
  /// ``SignalConvertible/concat(_:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write `a.concat(b).map { … }` or
  /// `Signal<Int, ReadError>.concat(a, b).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - first: the signal that is run first.
  ///   - second: the next one.
  ///   - others: all that follow.
  ///
  /// ReactiveObjC: `+concat:`.
  @inlinable
  public static func concat(
    _ first: some SignalConvertible<Value, Failure>, _ second: some SignalConvertible<Value, Failure>,
    _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal {
    others.isEmpty ? first.followed(by: second) : .concat(first.beside(second, others))
  }
}

// No overloads for a signal that cannot fail, as `merge` has: several calls of these follow one another, and
// if the closure behind them contains a mistake, each doubles the time until the compiler says so.
extension SignalConvertible {
  /// Runs this signal, then `other`, and then each of `others`, each after the completion of the one before
  /// it. All must have the failure type of this signal: see ``setFailureType(to:)``. The rest is as with
  /// ``Signal/concat(_:)``.
  ///
  /// ReactiveObjC: `-concat:`.
  @inlinable
  public func concat(
    _ other: some SignalConvertible<Value, Failure>, _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal<Value, Failure> {
    others.isEmpty ? followed(by: other) : .concat(beside(other, others))
  }

  /// Runs two signals without an array of them.
  @inlinable
  func followed(by other: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    Signal<Value, Failure>(
      .sequence,
      attaching: { [first = signal, second = other.signal] sink, _ in
        if let sequence = sink.sequence {
          sequence.put(second)
          return sequence.put(first)
        }
        let run = SequentialRun(into: consume sink)
        run.put(second)
        run.begin(with: first)
      })
  }
}
