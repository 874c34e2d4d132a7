// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value together with the one before it; `initial` stands before the first.
  ///
  /// Terminal events pass through. Keeps one value; buffers nothing.
  ///
  /// ReactiveObjC: `-combinePreviousWithStart:reduce:`.
  @inlinable @inline(__always)
  public func combinePrevious(
    _ initial: Value
  ) -> Signal<(previous: Value, current: Value), Failure> where Value: Sendable {
    liftInPlace { (sink: Sink<(previous: Value, current: Value), Failure>) in
      let next = sink.next
      let last = SubscriptionState(initial)
      return sink.upstream(
        next: { value in
          let previous = last.value
          last.value = value
          next((previous, value))
        },
        terminate: sink.terminate)
    }
  }

  /// Sends each value from the second on together with the one before it. Terminal events pass through. Keeps one value;
  /// buffers nothing.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func pairwise() -> Signal<(previous: Value, current: Value), Failure> {
    liftInPlace { (sink: Sink<(previous: Value, current: Value), Failure>) in
      let next = sink.next
      let last = SubscriptionState<Value?>(nil)
      return sink.upstream(
        next: { value in
          let previous = last.value
          last.value = value
          if let previous { next((previous, value)) }
        },
        terminate: sink.terminate)
    }
  }
}
