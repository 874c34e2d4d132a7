// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards all values but the last `count`: each when `count` more have arrived after it.
  ///
  /// Values that are still buffered when the signal ends are dropped. Terminal events pass through at once.
  /// Runs on the sending thread. Buffers `count` values. ReactiveObjC has no such operator.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable @inline(__always)
  public func skip(last count: Int) -> Signal<Value, Failure> {
    require(count >= 0, "weir: skip(last: \(count)): the count must not be negative")
    return liftInPlace { sink in
      let (step, frame) = sink.entry
      return sink.upstream(RelayFrame(FIFO<Value>(), before: frame, fail: sink.fail)) { value, frame in
        let own: RelayFrame<FIFO<Value>, Failure> = frame.own()
        own.state.append(value)
        if own.state.count > count, let oldest = own.state.popFirst() { step(oldest, own.following) }
      }
    }
  }
}
