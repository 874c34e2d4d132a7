// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Drops the first `count` values and passes on the rest. Terminal events pass through. Buffers nothing.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-skip:`.
  @inlinable @inline(__always)
  public func skip(first count: Int) -> Signal<Value, Failure> {
    precondition(count >= 0, "weir: skip(first: \(count)): the count must not be negative")
    return lift { sink in
      let next = sink.next
      let left = SubscriptionState(count)
      return sink.upstream(
        next: { value in if left.value > 0 { left.value &-= 1 } else { next(value) } },
        terminate: sink.terminate)
    }
  }
}
