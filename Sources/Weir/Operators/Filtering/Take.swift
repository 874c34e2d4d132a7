// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards the first `count` values, and completes with the last of them.
  ///
  /// The source is stopped at that moment, even a synchronous one that would go on for ever. With 0 it
  /// completes at once and does not run the source. If the source ends earlier, its terminal event passes
  /// through. A value sent during the delivery of another one counts like any other: never more than `count`
  /// are forwarded. Runs on the sending thread; buffers nothing.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-take:`.
  @inlinable @inline(__always)
  public func take(first count: Int) -> Signal<Value, Failure> {
    require(count >= 0, "weir: take(first: \(count)): the count must not be negative")
    let signal = self.signal
    return Signal(signal.timing) { [signal] sink, _ in
      let (step, frame) = sink.entry
      if count == 0 { return sink.terminate(.completed) }
      let own = EarlyEndFrame(count, before: frame, in: sink)
      signal.attach(
        sink.upstream(
          own, ending: .early,
          step: { value, frame in
            let own: EarlyEndFrame<Failure> = frame.own()
            if own.left == 0 { return }
            // Counted before it is forwarded: a nested value must find it counted.
            own.left &-= 1
            step(value, own.following)
            own.completeIfClosed()
          },
          terminate: own.end))
    }
  }
}
