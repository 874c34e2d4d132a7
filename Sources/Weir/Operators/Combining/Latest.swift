// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value of this signal together with the newest one of `other`. Values that come before `other` has sent any are
  /// dropped.
  ///
  /// `other` is subscribed first. Completes when this signal does, whatever `other` still does; a completed `other` leaves its
  /// last value. The first failure of either disposes both and is sent on. Delivery is serial, in the order in which values
  /// come; keeps one value, and buffers nothing unless threads meet. ReactiveObjC has no such operator.
  public func withLatest<Other>(
    from other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> {
    Signal<(Value, Other), Failure>(connecting: { [source = signal, other = other.signal] sink in
      let latest = SubscriptionState<Other?>(nil)
      let next = sink.next
      let delivery = SerialDelivery(
        to: Sink<LatestItem<Value, Other>, Failure>(
          next: { item in
            switch item {
            case .value(let value): if let other = latest.value { next((value, other)) }
            case .other(let other): latest.value = other
            case .otherEnd: break
            case .end: sink.terminate(.finished)
            }
          },
          terminate: sink.terminate, subscription: sink.subscription))
      delivery.listen(to: other, values: LatestItem.other, end: .otherEnd)
      delivery.listen(to: source, values: LatestItem.value, end: .end)
    })
  }

  /// Sends the newest value of this signal each time `sampler` sends anything: again, if there is no newer one, and nothing
  /// before there is one.
  ///
  /// This signal is subscribed first. Either one's completion completes the whole; the first failure disposes both and is sent on.
  /// Delivery is serial, in the order in which values come; keeps one value, and buffers nothing unless threads meet.
  ///
  /// ReactiveObjC: `-sample:`.
  public func sample<Tick>(on sampler: some SignalConvertible<Tick, Failure>) -> Signal<Value, Failure> {
    Signal(connecting: { [source = signal, sampler = sampler.signal] sink in
      let latest = SubscriptionState<Value?>(nil)
      let next = sink.next
      let delivery = SerialDelivery(
        to: Sink<LatestItem<Tick, Value>, Failure>(
          next: { item in
            switch item {
            case .value: if let value = latest.value { next(value) }
            case .other(let value): latest.value = value
            case .otherEnd, .end: sink.terminate(.finished)
            }
          },
          terminate: sink.terminate, subscription: sink.subscription))
      delivery.listen(to: source, values: LatestItem.other, end: .otherEnd)
      delivery.listen(to: sampler, values: LatestItem.value, end: .end)
    })
  }
}

/// What comes from the signal that decides when something is sent, and from the other, whose newest value is kept.
private enum LatestItem<Value, Other> {
  case value(Value)
  case other(Other)
  case otherEnd
  case end
}
