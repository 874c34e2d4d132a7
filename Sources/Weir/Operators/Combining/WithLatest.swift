// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value of this signal together with the newest one of `other`. Values that come before `other`
  /// has sent any are dropped.
  ///
  /// `other` is subscribed first. Completes when this signal does, whatever `other` still does, and ends
  /// without an event when this signal lets go without one; a completed `other` leaves its last value. The
  /// first failure of either disposes both and is sent on. Delivery is serial, in the order in which values
  /// come: on the thread on which this signal sends, or on one that is delivering already. Keeps the newest
  /// value of each until the end, and buffers nothing unless values meet, and then in a queue without a
  /// bound. A value costs one turn (see ``Subject``). `other` fails as this signal may, or cannot fail, as a
  /// property cannot. ReactiveObjC has no such operator.
  @inlinable
  public func withLatest<Other>(
    from other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> {
    row(of: signal, other.signal) { LatestRun($0, trigger: .first, to: $1) }
  }

  /// The same with one that cannot fail.
  ///
  /// ReactiveObjC has no such operator.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func withLatest<Other>(
    from other: some SignalConvertible<Other, Never>
  ) -> Signal<(Value, Other), Failure> {
    withLatest(from: other.setFailureType(to: Failure.self))
  }

  /// Sends each value of this signal together with the newest ones of two or more others. Values that come
  /// before each of those has sent any are dropped. The rest is as with one, but all fail as this signal may:
  /// see ``setFailureType(to:)``.
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
    row(of: signal, first.signal, second.signal, repeat (each others).signal) {
      LatestRun($0, trigger: .first, to: $1)
    }
  }
}
