// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards the events of the fastest of this signal, `other` and `others`: the first to send an event,
  /// even a terminal one, goes on alone.
  ///
  /// The signals are subscribed in order, until one of them has won. Then the losers are disposed, before the
  /// winner's event is delivered; a value that another thread was about to send is dropped. Completes and
  /// fails as the winner does. A signal that lets go without a terminal event is out; if all do, the run ends
  /// without an event. A failure that coincides with the winning event, on another thread or in a clean-up,
  /// and comes second goes to ``UnhandledErrors``. Delivers on the thread of the winner; buffers only what
  /// arrives during a delivery, in an unbounded queue. All must have the failure type of this signal (see
  /// ``setFailureType(to:)``), but a single `other` may be one that cannot fail.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `amb`.
  @inlinable
  public func race(
    with other: some SignalConvertible<Value, Failure>, _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal<Value, Failure> {
    others.isEmpty ? raced(with: other) : .race(beside(other, others))
  }

  /// The same as ``race(with:_:)``, for an `other` that cannot fail.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `amb`.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func race(with other: some SignalConvertible<Value, Never>) -> Signal<Value, Failure> {
    raced(with: other.setFailureType(to: Failure.self))
  }

  /// A race of two signals, without an array of them.
  @inlinable
  func raced(with other: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    Signal<Value, Failure>(attaching: { [first = signal, second = other.signal] sink, _ in
      let run = RaceRun(to: consume sink)
      run.enter(first)
      run.enter(second)
    })
  }
}

extension Signal {
  /// Forwards the events of the fastest of two or more signals: `Signal.race(near, far)`. The rest is as with
  /// ``SignalConvertible/race(with:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write `a.race(with: b).map { … }` or
  /// `Signal<Int, ReadError>.race(a, b).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - first: the signal that is subscribed first.
  ///   - second: the next one.
  ///   - others: all that follow.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `amb`.
  @inlinable
  public static func race(
    _ first: some SignalConvertible<Value, Failure>, _ second: some SignalConvertible<Value, Failure>,
    _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal {
    others.isEmpty ? first.raced(with: second) : .race(first.beside(second, others))
  }

  /// Forwards the events of the fastest of `signals`; completes at once if there are none. The rest is as
  /// with ``SignalConvertible/race(with:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `Signal<Int, ReadError>.race(signals).map { … }`: see <doc:Operators>.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `amb`.
  @inlinable
  public static func race(_ signals: [Signal]) -> Signal {
    Signal(attaching: { sink, _ in
      let run = RaceRun(to: consume sink)
      if signals.isEmpty { return run.delivery.terminate(.completed) }
      for signal in signals { run.enter(signal) }
    })
  }
}

extension SignalConvertible {
  /// Runs a signal for each value until one of them sends an event; that one goes on alone.
  @inlinable
  func racing<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(attaching: { [source = signal] sink, _ in
      let (run, entering) = (RaceRun(to: consume sink), Subscription())
      run.delivery.upstreams.adopt(entering)
      run.race.undecided.adopt(entering)
      let isEmpty = OperatorState(true)
      let end: @Sendable (Completion<Failure>) -> Void = { completion in
        guard entering.end() else { return }
        if case .completed = completion, !isEmpty.value { return }
        run.delivery.end(with: completion, in: run.race.whole) { run.race.winner == nil }
      }
      source.attach(
        Sink(
          next: { value in
            do throws(Failure) {
              let signal = try transform(value)
              isEmpty.value = false
              run.enter(signal)
            } catch {
              entering.pass(.failed(error), to: end)
            }
          },
          terminate: end, subscription: entering))
    })
  }
}
