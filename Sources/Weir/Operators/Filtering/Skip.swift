// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Drops the first `count` values and forwards the rest. Terminal events pass through. Runs on the sending
  /// thread; buffers nothing.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-skip:`.
  @inlinable @inline(__always)
  public func skip(first count: Int) -> Signal<Value, Failure> {
    require(count >= 0, "weir: skip(first: \(count)): the count must not be negative")
    return liftInPlace { sink in
      let (step, frame) = sink.entry
      return sink.upstream(RelayFrame(count, before: frame, fail: sink.fail)) { value, frame in
        let own: RelayFrame<Int, Failure> = frame.own()
        if own.state > 0 { own.state &-= 1 } else { step(value, own.following) }
      }
    }
  }
}
