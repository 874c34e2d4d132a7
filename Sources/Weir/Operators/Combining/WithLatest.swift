// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value of this signal together with the newest one of `other`. Values that come before `other` has sent any are
  /// dropped.
  ///
  /// `other` is subscribed first. Completes when this signal does, whatever `other` still does; a completed `other` leaves its
  /// last value. The first failure of either disposes both and is sent on. Delivery is serial, in the order in which values
  /// come; keeps the newest value of each until the end, and buffers nothing unless threads meet. A value costs two
  /// read-modify-writes. ReactiveObjC has no such operator.
  @inlinable
  public func withLatest<Other>(
    from other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> {
    Signal<(Value, Other), Failure>(connecting: { [signal, other = other.signal] sink in
      let shape = TupleRow<(Value, Other)>(of: Value.self, Other.self)
      let run = LatestRun(shape, trigger: .first, to: sink)
      let delivery = run.makeDelivery(for: sink.subscription)
      run.listen(to: other, at: 1, through: delivery)
      run.listen(to: signal, at: 0, through: delivery)
    })
  }

  /// Sends each value of this signal together with the newest ones of two or more others. Values that come before each of those
  /// has sent any are dropped. The rest is as with one.
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
    let others = (repeat (each others).signal)
    return Signal<(Value, First, Second, repeat each Other), Failure>(connecting: {
      [signal, first = first.signal, second = second.signal] sink in
      let shape = TupleRow<(Value, First, Second, repeat each Other)>(
        of: Value.self, First.self, Second.self, repeat (each Other).self)
      let run = LatestRun(shape, trigger: .first, to: sink)
      let delivery = run.makeDelivery(for: sink.subscription)
      run.listen(to: first, at: 1, through: delivery)
      run.listen(to: second, at: 2, through: delivery)
      var index = 3
      for other in repeat each others {
        run.listen(to: other, at: index, through: delivery)
        index += 1
      }
      run.listen(to: signal, at: 0, through: delivery)
    })
  }
}
