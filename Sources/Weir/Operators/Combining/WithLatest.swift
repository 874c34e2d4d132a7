// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value of this signal together with the newest one of `other`. Values that arrive before
  /// `other` has sent one are dropped.
  ///
  /// `other` is subscribed first. Completes when this signal does, whether or not `other` has ended, and ends
  /// without an event when this signal lets go without a terminal event; a completed `other` leaves its last
  /// value. The first failure of either signal disposes both and is forwarded. Delivery is serial, in the
  /// order in which values arrive: on the thread on which this signal sends, or on one that is already
  /// delivering. Retains the newest value of each signal until the end, and buffers only what arrives during
  /// a delivery, in an unbounded queue. A value costs one turn (see ``Subject``). `other` has the failure
  /// type of this signal, or cannot fail, like the `signal` of a property. ReactiveObjC has no such operator.
  @inlinable
  public func withLatest<Other>(
    from other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> {
    row(of: signal, other.signal) {
      LatestRun($0, shaped: TupleRow<(Value, Other)>(), trigger: .first, to: $1)
    }
  }

  /// The same as ``withLatest(from:)``, for an `other` that cannot fail.
  ///
  /// ReactiveObjC has no such operator.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func withLatest<Other>(
    from other: some SignalConvertible<Other, Never>
  ) -> Signal<(Value, Other), Failure> {
    withLatest(from: other.setFailureType(to: Failure.self))
  }

  /// Sends each value of this signal together with the newest ones of two or more others. Values that arrive
  /// before all of these have sent one are dropped. The rest is as with one other, but all must have the
  /// failure type of this signal: see ``setFailureType(to:)``.
  ///
  /// - Parameters:
  ///   - first: the first of the others.
  ///   - second: the second one.
  ///   - others: all that follow.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable
  public func withLatest<First, Second, each Other>(
    from first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    _ others: repeat any SignalConvertible<each Other, Failure>
  ) -> Signal<(Value, First, Second, repeat each Other), Failure> {
    row(ofAll: signal, first.signal, second.signal, others: repeat erased(each others)) {
      LatestRun($0, shaped: TupleRow<(Value, First, Second, repeat each Other)>(), trigger: .first, to: $1)
    }
  }
}
