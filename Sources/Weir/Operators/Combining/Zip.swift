// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the first values of this signal and `other` as a pair, then the second ones, and so on.
  ///
  /// Values of the faster signal are buffered until their partners arrive, as many of each signal as
  /// `backlog` allows. The signals are subscribed in order, so the values that one sends while it is being
  /// subscribed are buffered. Completes as soon as no further pair can be formed: when a signal has completed
  /// and none of its values is buffered. A signal that lets go without a terminal event is treated as one
  /// that may still send; when the other one has ended, too, the run ends without an event. A failure of
  /// either signal is sent at once; pairs that could still be formed are not sent. Pairs are sent serially,
  /// on the thread that sends the last value of a pair, or on one that is already delivering. A value costs
  /// one turn (see ``Subject``), however many signals there are. `other` has the failure type of this signal,
  /// or cannot fail.
  ///
  /// Values that arrive while a pair is being delivered wait in the queue of the turn, which is unbounded:
  /// only after that delivery are they counted, and dropped or failed if there are too many. So if the
  /// subscriber is slower than the signals for long, put ``observe(on:_:waiting:failures:)`` behind this
  /// operator, with a bound there.
  ///
  /// - Parameters:
  ///   - other: the signal to pair this one with; a signal paired with itself is subscribed twice.
  ///   - backlog: how many values of each signal may be buffered: 1,048,576 by default. The buffer holds
  ///     whole pairs: for each value of the bound at most twice `MemoryLayout<(Value, Other)>.stride` bytes,
  ///     but at least four strides; half as much again while it grows.
  /// - Precondition: the bound is positive; this is checked when the result is subscribed.
  ///
  /// ReactiveObjC: `-zipWith:`, whose queues have no bound.
  @inlinable
  public func zip<Other>(
    with other: some SignalConvertible<Other, Failure>, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<(Value, Other), Failure> {
    let backlog = StoredBacklog(backlog)
    return row(of: signal, other.signal) {
      ZipRun($0, shaped: TupleRow<(Value, Other)>(), waiting: backlog, to: $1)
    }
  }

  /// The same as ``zip(with:waiting:)``, for an `other` that cannot fail.
  ///
  /// - Parameters:
  ///   - other: the signal to pair this one with.
  ///   - backlog: how many values of each signal may be buffered.
  /// - Precondition: the bound is positive; this is checked when the result is subscribed.
  ///
  /// ReactiveObjC: `-zipWith:`.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func zip<Other>(
    with other: some SignalConvertible<Other, Never>, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<(Value, Other), Failure> {
    zip(with: other.setFailureType(to: Failure.self), waiting: backlog)
  }

  /// Sends the first values of this signal and two or more others as a tuple, then the second ones, and so
  /// on. The rest is as with one other, but all must have the failure type of this signal: see
  /// ``setFailureType(to:)``.
  ///
  /// - Parameters:
  ///   - first: the first of the others.
  ///   - second: the second one.
  ///   - others: all that follow, any number of them.
  ///   - backlog: how many values of each signal may be buffered: 1,048,576 by default. The buffer holds
  ///     whole tuples.
  /// - Precondition: the bound is positive; this is checked when the result is subscribed.
  ///
  /// ReactiveObjC: `+zip:`, and with `map` `+zip:reduce:`.
  @inlinable
  public func zip<First, Second, each Other>(
    with first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    _ others: repeat any SignalConvertible<each Other, Failure>, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<(Value, First, Second, repeat each Other), Failure> {
    let backlog = StoredBacklog(backlog)
    return row(ofAll: signal, first.signal, second.signal, others: repeat erased(each others)) {
      ZipRun($0, shaped: TupleRow<(Value, First, Second, repeat each Other)>(), waiting: backlog, to: $1)
    }
  }
}

extension Signal {
  /// Sends the first values of two signals as a pair, then the second ones, and so on:
  /// `Signal.zip(questions, answers)`. The rest is as with ``SignalConvertible/zip(with:waiting:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write `a.zip(with: b).map { … }` or
  /// `Signal<(Int, Int), ReadError>.zip(a, b).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - first: sends the first element of the pairs.
  ///   - second: sends the second one.
  ///   - backlog: how many values of each signal may be buffered: 1,048,576 by default. The buffer holds
  ///     whole pairs.
  /// - Precondition: the bound is positive; this is checked when the result is subscribed.
  ///
  /// ReactiveObjC: `+zip:`.
  @inlinable
  public static func zip<First, Second>(
    _ first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    waiting backlog: Backlog<Failure> = .standard
  ) -> Signal where Value == (First, Second) {
    let backlog = StoredBacklog(backlog)
    return row(of: first.signal, second.signal) {
      ZipRun($0, shaped: TupleRow<Value>(), waiting: backlog, to: $1)
    }
  }

  /// Sends the first values of three or more signals as a tuple, then the second ones, and so on. The rest is
  /// as with ``Signal/zip(_:_:waiting:)``.
  ///
  /// - Parameters:
  ///   - first: sends the first element of the tuples.
  ///   - second: sends the second one.
  ///   - third: sends the third one.
  ///   - others: all that follow, any number of them.
  ///   - backlog: how many values of each signal may be buffered: 1,048,576 by default. The buffer holds
  ///     whole tuples.
  /// - Precondition: the bound is positive; this is checked when the result is subscribed.
  ///
  /// ReactiveObjC: `+zip:`.
  @inlinable
  public static func zip<First, Second, Third, each Other>(
    _ first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    _ third: some SignalConvertible<Third, Failure>,
    _ others: repeat any SignalConvertible<each Other, Failure>,
    waiting backlog: Backlog<Failure> = .standard
  ) -> Signal where Value == (First, Second, Third, repeat each Other) {
    let backlog = StoredBacklog(backlog)
    return row(ofAll: first.signal, second.signal, third.signal, others: repeat erased(each others)) {
      ZipRun($0, shaped: TupleRow<Value>(), waiting: backlog, to: $1)
    }
  }

  /// Sends the first values of all signals as an array, then the second ones, and so on; completes at once if
  /// there are none. The rest is as with ``SignalConvertible/zip(with:waiting:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `Signal<Int, ReadError>.zip(signals).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - signals: any number of signals.
  ///   - backlog: how many values of each signal may be buffered: 1,048,576 by default.
  /// - Precondition: the bound is positive; this is checked when the result is subscribed.
  ///
  /// ReactiveObjC: `+zip:`.
  @inlinable
  public static func zip(_ signals: [Signal], waiting backlog: Backlog<Failure> = .standard) -> Signal<
    [Value], Failure
  > {
    let backlog = StoredBacklog(backlog)
    return row(of: signals) {
      ZipRun($0, shaped: ArrayRow(count: $0.count), waiting: backlog, to: $1)
    }
  }
}
