// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards values until `replacement` sends its first event, and from then on the events of `replacement`.
  ///
  /// The replacement is subscribed first; if it sends an event at once, this signal is not run at all. At the
  /// first event of the replacement, a value or its terminal event, this signal is disposed; none of its
  /// values is sent after one of the replacement. The terminal event is that of the replacement: the
  /// completion of this signal is dropped, while a failure before the first event of the replacement disposes
  /// both and is forwarded. A failure that coincides with that event, on another thread or in a clean-up, and
  /// comes second goes to ``UnhandledErrors``. If the replacement lets go without a terminal event, values of
  /// this signal go on, and at its completion the run ends without an event. The signals may run on different
  /// threads; delivery is serial, on the thread that sends an event or on one that is already delivering, and
  /// costs one turn per value (see ``Subject``). Buffers only what arrives during a delivery, in an unbounded
  /// queue.
  ///
  /// The replacement has the failure type of this signal, or cannot fail.
  ///
  /// ReactiveObjC: `-takeUntilReplacement:`.
  @inlinable
  public func take(
    untilReplacement replacement: some SignalConvertible<Value, Failure>
  ) -> Signal<Value, Failure> {
    Signal(attaching: { [source = signal, replacement = replacement.signal] sink, _ in
      let isReplaced = OperatorState(false)
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
      let original = Subscription()
      delivery.upstreams.adopt(original)
      delivery.listen(to: replacement) { value in
        original.dispose()
        delivery.send(.replacement(value))
      }
      if original.isDisposed { return }
      // Cleans up after a source that lets go without a terminal event.
      let end = ScopedDisposable(original)
      source.attach(
        Sink(
          next: { delivery.send(.value($0)) },
          terminate: { completion in
            defer { _fixLifetime(end) }
            guard original.end(), case .failed = completion else { return }
            delivery.end(with: completion, in: subscription) { !isReplaced.value }
          },
          subscription: original))
    })
  }

  /// The same as ``take(untilReplacement:)``, for a replacement that cannot fail.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func take(
    untilReplacement replacement: some SignalConvertible<Value, Never>
  ) -> Signal<Value, Failure> {
    take(untilReplacement: replacement.setFailureType(to: Failure.self))
  }
}

/// A value of the signal that is replaced, or of the one that replaces it.
@frozen @usableFromInline
enum ReplacementItem<Value> {
  case value(Value)
  case replacement(Value)
}
