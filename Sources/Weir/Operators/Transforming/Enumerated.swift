// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value together with its position, counted from 0 for each subscription.
  ///
  /// Terminal events pass through. Runs where the source sends; buffers nothing. It makes an indexed operator of any other one.
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func enumerated() -> Signal<(offset: Int, element: Value), Failure> {
    liftInPlace { (sink: Sink<(offset: Int, element: Value), Failure>) in
      let next = sink.next
      let count = SubscriptionState(0)
      return sink.upstream(
        next: { value in
          let offset = count.value
          count.value = offset &+ 1
          next((offset, value))
        },
        terminate: sink.terminate)
    }
  }
}
