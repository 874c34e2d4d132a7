// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends each value together with the one before it, the first one together with `initial`.
  ///
  /// Terminal events pass through. Runs on the sending thread; retains one value, and buffers nothing.
  ///
  /// ReactiveObjC: `-combinePreviousWithStart:reduce:`.
  @inlinable @inline(__always)
  public func combinePrevious(
    _ initial: Value
  ) -> Signal<(previous: Value, current: Value), Failure> where Value: Sendable {
    liftInPlace { (sink: Sink<(previous: Value, current: Value), Failure>) in
      let (step, frame) = sink.entry
      return sink.upstream(RelayFrame(initial, before: frame, fail: sink.fail)) { value, frame in
        let own: RelayFrame<Value, Failure> = frame.own()
        let previous = own.state
        own.state = value
        step((previous, value), own.following)
      }
    }
  }

  /// Sends each value from the second on together with the one before it. Terminal events pass through. Runs
  /// on the sending thread; retains one value, and buffers nothing.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func pairwise() -> Signal<(previous: Value, current: Value), Failure> {
    liftInPlace { (sink: Sink<(previous: Value, current: Value), Failure>) in
      let (step, frame) = sink.entry
      return sink.upstream(RelayFrame<Value?, Failure>(nil, before: frame, fail: sink.fail)) { value, frame in
        let own: RelayFrame<Value?, Failure> = frame.own()
        let previous = own.state
        own.state = value
        if let previous { step((previous, value), own.following) }
      }
    }
  }
}
