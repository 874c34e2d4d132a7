// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Passes on all values but the last `count`: each when `count` more have come after it.
  ///
  /// What is held back is dropped when the signal ends. Terminal events pass through at once. Runs where the source sends.
  /// Buffers `count` values. ReactiveObjC has no such operator.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable @inline(__always)
  public func skip(last count: Int) -> Signal<Value, Failure> {
    precondition(count >= 0, "weir: skip(last: \(count)): the count must not be negative")
    return lift { sink in
      let next = sink.next
      let kept = SubscriptionState(FIFO<Value>())
      return sink.upstream(
        next: { value in
          // Nothing to hold back, or not yet as much as there will be.
          if count == 0 { return next(value) }
          let oldest = kept.value.count == count ? kept.value.popFirst() : nil
          kept.value.append(value)
          if let oldest { next(oldest) }
        },
        terminate: sink.terminate)
    }
  }
}
