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
    takingLatest(signal, from: other.signal)
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
    takingLatest(signal, from: first.signal, second.signal, repeat (each others).signal)
  }
}

/// The others come first in the order of subscription, and after the source in the tuple.
@inlinable
func takingLatest<Value, each Other, Failure>(
  _ source: Signal<Value, Failure>, from others: repeat Signal<each Other, Failure>
) -> Signal<(Value, repeat each Other), Failure> {
  Signal<(Value, repeat each Other), Failure>(connecting: { sink in
    let shape = TupleRow<(Value, repeat each Other)>(of: Value.self, repeat (each Other).self)
    let run = LatestRun(shape, trigger: .first, to: sink)
    let delivery = run.makeDelivery(for: sink.subscription)
    var index = 1
    for other in repeat each others {
      run.listen(to: other, at: index, through: delivery)
      index += 1
    }
    run.listen(to: source, at: 0, through: delivery)
  })
}
