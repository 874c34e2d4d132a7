// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards the values of this signal, `other` and `others` as they arrive.
  ///
  /// The signals are subscribed in order, and run at the same time; if one fails while it is being
  /// subscribed, the later ones are not. Completes when all have completed; the first failure disposes the
  /// others and is forwarded. If a signal lets go without a terminal event, the run ends without one when the
  /// others have ended. Threads and queueing are as with ``flatMap(_:)``. A value costs one turn (see
  /// ``Subject``), however many signals there are. All must have the failure type of this signal (see
  /// ``setFailureType(to:)``), but a single `other` may be one that cannot fail.
  ///
  /// Events that one thread sends to two of the signals keep their order, unless the first has to wait on its
  /// way here, as in a `merge` or a `share()` that another thread uses, too: see
  /// <doc:ThreadsAndTime#Events-that-take-different-paths>.
  ///
  /// ReactiveObjC: `-merge:`.
  @inlinable
  public func merge(
    with other: some SignalConvertible<Value, Failure>, _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal<Value, Failure> {
    others.isEmpty ? merged(with: other) : .merge(beside(other, others))
  }

  /// The same as ``merge(with:_:)``, for an `other` that cannot fail.
  ///
  /// ReactiveObjC: `-merge:`.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func merge(with other: some SignalConvertible<Value, Never>) -> Signal<Value, Failure> {
    merged(with: other.setFailureType(to: Failure.self))
  }

  /// Merges two signals without an array of them.
  @inlinable
  func merged(with other: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    Signal<Value, Failure>(attaching: { [first = signal, second = other.signal] sink, _ in
      let merger = Merger(to: consume sink)
      merger.runAll {
        merger.run(first)
        merger.run(second)
      }
    })
  }
}

extension Signal {
  /// Forwards the values of two or more signals: `Signal.merge(clicks, keys)`. The rest is as with
  /// ``SignalConvertible/merge(with:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write `a.merge(with: b).map { … }` or
  /// `Signal<Int, ReadError>.merge(a, b).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - first: the signal that is subscribed first.
  ///   - second: the next one.
  ///   - others: all that follow.
  ///
  /// ReactiveObjC: `+merge:`.
  @inlinable
  public static func merge(
    _ first: some SignalConvertible<Value, Failure>, _ second: some SignalConvertible<Value, Failure>,
    _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal {
    others.isEmpty ? first.merged(with: second) : .merge(first.beside(second, others))
  }

  /// Forwards the values of all `signals` as they arrive; completes at once if there are none. The rest is as
  /// with ``SignalConvertible/merge(with:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `Signal<Int, ReadError>.merge(signals).map { … }`: see <doc:Operators>.
  ///
  /// ReactiveObjC: `+merge:`.
  @inlinable
  public static func merge(_ signals: [Signal]) -> Signal {
    Signal(attaching: { sink, _ in
      let merger = Merger(to: consume sink)
      merger.runAll {
        for signal in signals {
          if merger.delivery.isEnding { return }
          merger.run(signal)
        }
      }
    })
  }
}
