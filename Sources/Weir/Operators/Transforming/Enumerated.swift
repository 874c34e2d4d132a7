// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value together with its position, counted from 0 for each subscription.
  ///
  /// Terminal events pass through. Runs on the sending thread; buffers nothing. Before any other operator, it
  /// makes that an indexed one. ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func enumerated() -> Signal<(offset: Int, element: Value), Failure> {
    liftInPlace { (sink: Sink<(offset: Int, element: Value), Failure>) in
      let (step, frame) = sink.entry
      return sink.upstream(RelayFrame(0, before: frame, fail: sink.fail)) { value, frame in
        let own: RelayFrame<Int, Failure> = frame.own()
        let offset = own.state
        own.state = offset &+ 1
        step((offset, value), own.following)
      }
    }
  }
}
