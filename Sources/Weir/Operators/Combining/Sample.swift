// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the newest value of this signal each time `sampler` sends a value: the same one again if there is
  /// no newer one, and nothing before the first.
  ///
  /// This signal is subscribed first. Completes when either completes; the first failure disposes both and is
  /// forwarded. If one of them lets go without a terminal event, the run goes on until the other one ends,
  /// and the newest value is still sent each time `sampler` sends; if both do, the run ends at once, without
  /// an event. Delivery is serial, in the order in which values arrive: on the thread on which `sampler`
  /// sends, or on one that is already delivering. Retains one value, and buffers only what arrives during a
  /// delivery, in an unbounded queue. A value of either costs one turn (see ``Subject``). `sampler` has the
  /// failure type of this signal, or cannot fail.
  ///
  /// ReactiveObjC: `-sample:`.
  @inlinable
  public func sample<Tick>(on sampler: some SignalConvertible<Tick, Failure>) -> Signal<Value, Failure> {
    Signal(attaching: { [source = signal, sampler = sampler.signal] sink, _ in
      let latest = OperatorState<Value?>(nil)
      let next = sink.next
      let delivery = SerialDelivery(
        to: Sink<SampleItem<Value>, Failure>(
          next: { item in
            switch item {
            case .tick: if let value = latest.value { next(value) }
            case .value(let value): latest.value = value
            }
          },
          terminate: sink.terminate, subscription: sink.subscription))
      delivery.listen(to: source) { delivery.send(.value($0)) }
      delivery.listen(to: sampler) { _ in delivery.send(.tick) }
    })
  }

  /// The same as ``sample(on:)``, for a `sampler` that cannot fail.
  ///
  /// ReactiveObjC: `-sample:`.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func sample<Tick>(on sampler: some SignalConvertible<Tick, Never>) -> Signal<Value, Failure> {
    sample(on: sampler.setFailureType(to: Failure.self))
  }
}

@frozen @usableFromInline
enum SampleItem<Value> {
  case value(Value)
  case tick
}
