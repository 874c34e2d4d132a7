// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the newest values of this signal and `other` as a pair, each time one of them sends a value.
  ///
  /// Nothing is sent until both have sent a value. The signals are subscribed in order: one that sends all
  /// its values while it is being subscribed is represented by its last one. A signal combined with itself is
  /// subscribed twice. Completes when both have completed, even if one of them never sent a value. A signal
  /// that lets go without a terminal event is treated as one that may still send, even if it has sent nothing
  /// and no pair can be formed any more; when the other one has ended, the run ends without an event. The
  /// first failure disposes the other signal and is forwarded. Pairs are sent serially, in the order in which
  /// values arrive, on the thread that sends a value, or on one that is already delivering. Retains the
  /// newest value of each signal until the end, and buffers only what arrives during a delivery, in an
  /// unbounded queue. `other` has the failure type of this signal, or cannot fail.
  ///
  /// A value costs one turn (see ``Subject``), however many signals there are.
  ///
  /// ReactiveObjC: `-combineLatestWith:`.
  @inlinable
  public func combineLatest<Other>(
    with other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> {
    row(of: signal, other.signal) {
      LatestRun($0, shaped: TupleRow<(Value, Other)>(), trigger: .all, to: $1)
    }
  }

  /// The same as ``combineLatest(with:)``, for an `other` that cannot fail.
  ///
  /// ReactiveObjC: `-combineLatestWith:`.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func combineLatest<Other>(
    with other: some SignalConvertible<Other, Never>
  ) -> Signal<(Value, Other), Failure> {
    combineLatest(with: other.setFailureType(to: Failure.self))
  }

  /// Sends the newest values of this signal and two or more others as a tuple, each time one of them sends a
  /// value. The rest is as with one other, but all must have the failure type of this signal: see
  /// ``setFailureType(to:)``.
  ///
  /// - Parameters:
  ///   - first: the first of the others.
  ///   - second: the second one.
  ///   - others: all that follow, any number of them.
  ///
  /// ReactiveObjC: `+combineLatest:`, and with `map` `+combineLatest:reduce:`.
  @inlinable
  public func combineLatest<First, Second, each Other>(
    with first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    _ others: repeat any SignalConvertible<each Other, Failure>
  ) -> Signal<(Value, First, Second, repeat each Other), Failure> {
    row(ofAll: signal, first.signal, second.signal, others: repeat erased(each others)) {
      LatestRun($0, shaped: TupleRow<(Value, First, Second, repeat each Other)>(), trigger: .all, to: $1)
    }
  }
}

extension Signal {
  /// Sends the newest values of two signals as a pair, each time one of them sends a value:
  /// `Signal.combineLatest(price, amount)`. The rest is as with ``SignalConvertible/combineLatest(with:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `a.combineLatest(with: b).map { … }` or `Signal<(Int, Int), ReadError>.combineLatest(a, b).map { … }`:
  /// see <doc:Operators>.
  ///
  /// ReactiveObjC: `+combineLatest:`.
  @inlinable
  public static func combineLatest<First, Second>(
    _ first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>
  ) -> Signal where Value == (First, Second) {
    row(of: first.signal, second.signal) { LatestRun($0, shaped: TupleRow<Value>(), trigger: .all, to: $1) }
  }

  /// Sends the newest values of three or more signals as a tuple. The rest is as with
  /// ``Signal/combineLatest(_:_:)``.
  ///
  /// ReactiveObjC: `+combineLatest:`.
  @inlinable
  public static func combineLatest<First, Second, Third, each Other>(
    _ first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    _ third: some SignalConvertible<Third, Failure>,
    _ others: repeat any SignalConvertible<each Other, Failure>
  ) -> Signal where Value == (First, Second, Third, repeat each Other) {
    row(ofAll: first.signal, second.signal, third.signal, others: repeat erased(each others)) {
      LatestRun($0, shaped: TupleRow<Value>(), trigger: .all, to: $1)
    }
  }

  /// Sends the newest values of all signals as an array, each time one of them sends a value; completes at
  /// once if there are none. The rest is as with ``SignalConvertible/combineLatest(with:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `Signal<Int, ReadError>.combineLatest(signals).map { … }`: see <doc:Operators>.
  ///
  /// ReactiveObjC: `+combineLatest:`.
  @inlinable
  public static func combineLatest(_ signals: [Signal]) -> Signal<[Value], Failure> {
    row(of: signals) {
      LatestRun($0, shaped: ArrayRow(count: $0.count), trigger: .all, to: $1)
    }
  }
}
