// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Runs `signals` one after the other: each starts when the one before it has completed.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `Signal<Int, ReadError>.concat(signals).map { … }`: see <doc:Operators>.
  ///
  /// A failure ends the whole, and later signals are not run. Each is subscribed where its predecessor
  /// completed, and its values come where it sends them. Completes with the last, at once if there are none.
  /// Buffers nothing; any number of signals use constant stack, also if each goes on as the next one.
  ///
  /// ReactiveObjC: `+concat:`.
  @inlinable
  public static func concat(_ signals: [Signal]) -> Signal {
    Signal(
      .sequence,
      connecting: { sink in
        if let sequence = sink.sequence { return sequence.waiting.append(contentsOf: signals.reversed()) }
        SequentialRun(into: sink, running: signals.reversed()).advance(after: .finished)
      })
  }
}

extension Signal {
  /// Runs two signals or more one after the other: `Signal.concat(stored, live)`. The rest is as with
  /// ``SignalConvertible/concat(_:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write `a.concat(b).map { … }` or
  /// `Signal<Int, ReadError>.concat(a, b).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - first: the one that is run first.
  ///   - second: the next one.
  ///   - others: all that follow.
  ///
  /// ReactiveObjC: `+concat:`.
  @inlinable
  public static func concat(
    _ first: some SignalConvertible<Value, Failure>, _ second: some SignalConvertible<Value, Failure>,
    _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal {
    .concat(first.beside(second, others))
  }
}

extension SignalConvertible {
  /// Runs this signal, and then `other` and each of `others`, when and if the one before has completed. The
  /// rest is as with ``Signal/concat(_:)``.
  ///
  /// ReactiveObjC: `-concat:`.
  @inlinable
  public func concat(
    _ other: some SignalConvertible<Value, Failure>, _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal<Value, Failure> {
    .concat(beside(other, others))
  }

  /// Runs `first`, and then this signal, when and if that one has completed. The rest is as with
  /// ``Signal/concat(_:)``.
  ///
  /// A hot signal is subscribed when `first` has completed: what it sends before is missed. ReactiveObjC:
  /// `-concat:`, the other way round.
  @inlinable
  public func prepend(_ first: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    .concat([first.signal, signal])
  }
}
