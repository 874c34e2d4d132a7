// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the first values of this signal and `other` as a pair, then the second ones, and so on.
  ///
  /// Values of a quicker signal wait for their partners, as many of each signal as `backlog` allows. The
  /// signals are subscribed in order, so one that sends all its values while it is subscribed has them wait.
  /// Completes as soon as no further pair can come: when one has completed and none of its values waits. One
  /// that lets go without a terminal event counts as one that is still to send. A failure of either is sent
  /// at once, before pairs that could still form. Pairs are sent serially, on the thread that brings the last
  /// value of one, or on one that is delivering already. A value costs one turn (see ``Subject``), however
  /// many signals there are. `other` fails as this signal may, or cannot fail.
  ///
  /// What comes while a pair is being delivered waits in the queue of the turn, which has no bound: it is
  /// counted, and what is too much is dropped or fails, when that has been delivered. So a subscriber that is
  /// slower than the signals for long wants ``observe(on:_:waiting:failures:)`` behind this operator, with a
  /// bound there.
  ///
  /// - Parameters:
  ///   - other: what to pair this signal with; the same one is subscribed twice.
  ///   - backlog: how many values of each signal may wait: 1,048,576 unless told. Whole pairs are kept, in at
  ///     most twice `MemoryLayout<(Value, Other)>.stride` bytes for each value of the bound, or four of them;
  ///     half as much again while the ring grows.
  /// - Precondition: the bound is positive.
  ///
  /// ReactiveObjC: `-zipWith:`, whose queues have no bound.
  @inlinable
  public func zip<Other>(
    with other: some SignalConvertible<Other, Failure>, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<(Value, Other), Failure> {
    row(of: signal, other.signal) { ZipRun($0, waiting: backlog, to: $1) }
  }

  /// The same with one that cannot fail.
  ///
  /// - Parameters:
  ///   - other: what to pair this signal with.
  ///   - backlog: how many values of each signal may wait.
  /// - Precondition: the bound is positive.
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
  /// on. The rest is as with one other, but all fail as this signal may: see ``setFailureType(to:)``.
  ///
  /// - Parameters:
  ///   - first: the first of the others.
  ///   - second: the second one.
  ///   - others: all that follow, any number of them.
  ///   - backlog: how many values of each signal may wait: 1,048,576 unless told. Whole tuples are kept.
  /// - Precondition: the bound is positive.
  ///
  /// ReactiveObjC: `+zip:`, and with `map` `+zip:reduce:`.
  @inlinable
  public func zip<First, Second, each Other>(
    with first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    _ others: repeat any SignalConvertible<each Other, Failure>, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<(Value, First, Second, repeat each Other), Failure> {
    row(of: signal, first.signal, second.signal, repeat (each others).signal) {
      ZipRun($0, waiting: backlog, to: $1)
    }
  }
}

extension Signal {
  /// Sends the first values of two signals or more as a tuple, then the second ones, and so on:
  /// `Signal.zip(questions, answers)`. The rest is as with ``SignalConvertible/zip(with:waiting:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write `a.zip(with: b).map { … }` or
  /// `Signal<(Int, Int), ReadError>.zip(a, b).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - first: the first element of the tuples.
  ///   - second: the second one.
  ///   - others: all that follow, any number of them.
  ///   - backlog: how many values of each signal may wait: 1,048,576 unless told. Whole tuples are kept.
  /// - Precondition: the bound is positive.
  ///
  /// ReactiveObjC: `+zip:`.
  @inlinable
  public static func zip<First, Second, each Other>(
    _ first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    _ others: repeat any SignalConvertible<each Other, Failure>, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal where Value == (First, Second, repeat each Other) {
    row(of: first.signal, second.signal, repeat (each others).signal) {
      ZipRun($0, waiting: backlog, to: $1)
    }
  }

  /// Sends the first values of all signals as an array, then the second ones, and so on; completes at once if
  /// there are none. The rest is as with ``SignalConvertible/zip(with:waiting:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `Signal<Int, ReadError>.zip(signals).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - signals: any number of them.
  ///   - backlog: how many values of each signal may wait: 1,048,576 unless told.
  /// - Precondition: the bound is positive.
  ///
  /// ReactiveObjC: `+zip:`.
  @inlinable
  public static func zip(_ signals: [Signal], waiting backlog: Backlog<Failure> = .standard) -> Signal<
    [Value], Failure
  > {
    row(of: signals, shaped: ArrayRow(count: signals.count)) { ZipRun($0, waiting: backlog, to: $1) }
  }
}
