// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Combines each value with the previous result and sends the new one; `initial` itself is not sent.
  ///
  /// Each subscription starts from `initial`. If `combine` throws, the signal fails with that error and its
  /// source is stopped. Terminal events pass through. Runs on the sending thread; retains one result, and
  /// buffers nothing.
  ///
  /// ReactiveObjC: `-scanWithStart:reduce:`.
  @inlinable @inline(__always)
  public func scan<Result: Sendable>(
    _ initial: Result, _ combine: @escaping @Sendable (Result, Value) throws(Failure) -> Result
  ) -> Signal<Result, Failure> {
    scan(into: initial) { (result, value) throws(Failure) in result = try combine(result, value) }
  }

  /// Changes the result in place for each value and sends it; `initial` itself is not sent.
  ///
  /// Use it where the result is a collection: ``scan(_:_:)`` copies it for each value, this operator only
  /// while something still retains the one sent before. A `gather` that throws may leave a half-changed
  /// result, which is not sent. Where `initial` is an object that subscriptions must not share, make one for
  /// each with ``Signal/deferred(_:)``: `Signal.deferred { words.scan(into: Table()) { … } }`. It still has
  /// to be `Sendable`, unlike with ``reduce(making:_:)``. The rest is as with ``scan(_:_:)``. ReactiveObjC
  /// has no such operator.
  ///
  /// - Parameters:
  ///   - initial: what each subscription starts from.
  ///   - gather: adds a value to the result.
  @inlinable @inline(__always)
  public func scan<Result: Sendable>(
    into initial: Result,
    _ gather: @escaping @Sendable (inout Result, Value) throws(Failure) -> Void
  ) -> Signal<Result, Failure> {
    liftInPlace { sink in
      let (step, frame) = sink.entry
      let hint = FoldingHint.constant
      return sink.upstream(RelayFrame(initial, before: frame, fail: sink.fail)) { value, frame in
        _ = hint
        let own: RelayFrame<Result, Failure> = frame.own()
        do throws(Failure) {
          try gather(&own.state, value)
          step(own.state, own.following)
        } catch {
          own.fail(error)
        }
      }
    }
  }

  /// Combines each value and its position, counted from 0, with the previous result and sends the new one.
  /// The rest is as with ``scan(_:_:)``.
  ///
  /// - Parameters:
  ///   - initial: what each subscription starts from; not sent.
  ///   - combine: returns the new result from the previous one, the value and its position.
  ///
  /// ReactiveObjC: `-scanWithStart:reduceWithIndex:`.
  @inlinable @inline(__always)
  public func scanIndexed<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value, _ index: Int) throws(Failure) -> Result
  ) -> Signal<Result, Failure> {
    enumerated().scan(initial) { (result, item) throws(Failure) in
      try combine(result, item.element, item.offset)
    }
  }
}
