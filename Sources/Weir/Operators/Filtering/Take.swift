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
      let (step, frame) = sink.entry
      if count == 0 { return sink.terminate(.finished) }
      let own = StateFrame((left: count, run: sink.subscription), before: frame, fail: sink.terminate)
      connect(
        sink.upstream(
          own, ending: .early,
          step: { value, frame in
            let own = StateFrame<(left: Int, run: Subscription), Failure>.of(frame)
            // Counted before it is passed on: a nested value must find it counted.
            let remaining = own.state.left &- 1
            if remaining < 0 { return }
            own.state.left = remaining
            step(value, own.following)
            if remaining == 0, !own.state.run.isDisposed { own.terminate(.finished) }
          },
          terminate: { completion in if own.state.left > 0 { own.terminate(completion) } }))
    }
  }
}
