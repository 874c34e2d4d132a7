// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Passes values on until `replacement` sends its first event, and from then on what that one sends.
  ///
  /// The replacement is subscribed first; if it sends at once, this signal is not run at all. With its first
  /// event, be it a value or its end, this signal is disposed; no value of it comes after one of the
  /// replacement. The end is that of the replacement: the completion of this signal is dropped, while a
  /// failure before the replacement sent anything disposes both and is sent on. A failure that meets the
  /// replacement, on another thread or in a clean-up, and comes second goes to ``UnhandledErrors``. Both may
  /// run on different threads; delivery is serial, on the one that brings an event or on one that is
  /// delivering already, and costs one turn a value (see ``Subject``). Buffers nothing unless they meet,
  /// and then in a queue without a bound.
  ///
  /// ReactiveObjC: `-takeUntilReplacement:`.
  @inlinable
  public func take(
    untilReplacement replacement: some SignalConvertible<Value, Failure>
  ) -> Signal<Value, Failure> {
    Signal(connecting: { [source = signal, replacement = replacement.signal] sink in
      let isReplaced = SubscriptionState(false)
      let (next, subscription) = (sink.next, sink.subscription)
      let delivery = SerialDelivery(
        to: Sink<ReplacementItem<Value>, Failure>(
          next: { item in
            switch item {
            case .value(let value): if !isReplaced.value { next(value) }
            case .replacement(let value):
              isReplaced.value = true
              next(value)
            }
          },
          terminate: sink.terminate, subscription: subscription))
      let (original, other) = (Subscription(), Subscription())
      delivery.upstreams.adopt(original)
      delivery.upstreams.adopt(other)
      replacement.attach(
        Sink(
          next: { value in
            original.dispose()
            delivery.send(.replacement(value))
          },
          terminate: { completion in if other.end() { delivery.terminate(completion) } },
          subscription: other))
      if original.isDisposed { return }
      source.attach(
        Sink(
          next: { delivery.send(.value($0)) },
          terminate: { completion in
            guard original.end(), case .failed = completion else { return }
            delivery.end(with: completion, in: subscription) { !isReplaced.value }
          },
          subscription: original))
    })
  }
}

/// A value of the signal that is replaced, or of the one that replaces it.
@frozen @usableFromInline
enum ReplacementItem<Value> {
  case value(Value)
  case replacement(Value)
}
