// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Drops values while `predicate` is true, and forwards everything from the first for which it is false.
  ///
  /// `predicate` is not called after that. If it throws, the signal fails with that error and its source is
  /// stopped. Terminal events pass through. Runs on the sending thread; buffers nothing.
  ///
  /// ReactiveObjC: `-skipWhileBlock:`.
  @inlinable @inline(__always)
  public func skip(
    while predicate: @escaping @Sendable (Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    liftInPlace { sink in
      let (step, frame) = sink.entry
      let hint = FoldingHint.constant
      return sink.upstream(RelayFrame(true, before: frame, fail: sink.fail)) { value, frame in
        _ = hint
        let own: RelayFrame<Bool, Failure> = frame.own()
        do throws(Failure) {
          // True while it is still skipping.
          if own.state {
            if try predicate(value) { return }
            own.state = false
          }
          step(value, own.following)
        } catch {
          own.fail(error)
        }
      }
    }
  }

  /// Drops values until `predicate` is true for one, and forwards everything from that one on. The rest is as
  /// with ``skip(while:)``.
  ///
  /// ReactiveObjC: `-skipUntilBlock:`.
  @inlinable @inline(__always)
  public func skip(
    until predicate: @escaping @Sendable (Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    skip(while: { (value) throws(Failure) in try !predicate(value) })
  }
}
