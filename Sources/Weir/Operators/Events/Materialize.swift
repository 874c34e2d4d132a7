// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the events of the signal as values, its end included, and completes. It cannot fail.
  ///
  /// Runs where the source sends; buffers nothing.
  ///
  /// ReactiveObjC: `-materialize`.
  @inlinable @inline(__always)
  public func materialize() -> Signal<Event<Value, Failure>, Never> {
    let signal = self.signal
    return Signal<Event<Value, Failure>, Never>(signal.timing) {
      [connect = signal.connect] sink in
      let next = sink.next
      connect(
        Sink<Value, Failure>(
          direct: { next(.next($0)) }, gate: .ahead, ending: .early,
          terminate: { sink.sendOnly(Event($0)) },
          subscription: sink.subscription))
    }
  }

  /// The inverse of ``materialize()``: turns values that are events into those events. The first terminal one stops the source;
  /// a source that completes without one completes this signal.
  ///
  /// ReactiveObjC: `-dematerialize`.
  @inlinable @inline(__always)
  public func dematerialize<Inner, InnerFailure>() -> Signal<Inner, InnerFailure>
  where Value == Event<Inner, InnerFailure>, Failure == Never {
    let signal = self.signal
    return Signal<Inner, InnerFailure>(signal.timing) {
      [connect = signal.connect] sink in
      let (next, terminate) = (sink.next, sink.terminate)
      let isOpen = SubscriptionState(true)
      connect(
        Sink<Event<Inner, InnerFailure>, Never>(
          direct: { event in
            guard isOpen.value else { return }
            if case .next(let value) = event { return next(value) }
            isOpen.value = false
            if let completion = event.completion { terminate(completion) }
          },
          gate: .ahead, ending: .early,
          terminate: { _ in if isOpen.value { terminate(.finished) } },
          subscription: sink.subscription))
    }
  }
}
