// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Passes on the first `count` values, and completes with the last of them.
  ///
  /// The source is stopped at that moment, also a synchronous one that would go on for ever. With 0 it completes at once
  /// and does not run the source. Fewer values, or a failure, pass through. A value sent from inside the delivery of another
  /// counts like any other: never more than `count` get through. Buffers nothing.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-take:`.
  @inlinable @inline(__always)
  public func take(first count: Int) -> Signal<Value, Failure> {
    precondition(count >= 0, "weir: take(first: \(count)): the count must not be negative")
    let signal = self.signal
    return Signal(signal.timing) { [connect = signal.connect] sink in
      let (next, terminate) = (sink.next, sink.terminate)
      if count == 0 { return terminate(.finished) }
      let left = SubscriptionState(count)
      connect(
        sink.upstream(
          ending: .early,
          next: { value in
            // Counted before it is passed on: a nested value must find it counted.
            let remaining = left.value &- 1
            if remaining < 0 { return }
            left.value = remaining
            next(value)
            if remaining == 0, !sink.isEnded { terminate(.finished) }
          },
          terminate: { completion in if left.value > 0 { terminate(completion) } }))
    }
  }
}
