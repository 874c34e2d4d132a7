// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends `transform(value)` for each value.
  ///
  /// If `transform` throws, the signal fails with that error and its source is stopped. Terminal events pass
  /// through. Runs on the sending thread; buffers nothing. It is inlined in a cold chain, and in a hot one if
  /// the closure captures nothing; a closure that does costs a call, and one more for each operator upstream
  /// of it.
  ///
  /// ReactiveObjC: `-map:`, and `-tryMap:` for a closure that throws.
  @inlinable @inline(__always)
  public func map<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Output
  ) -> Signal<Output, Failure> {
    liftInPlace { sink in
      let (step, frame) = sink.entry
      let hint = FoldingHint.constant
      return sink.upstream(frame) { value, frame in
        _ = hint
        do throws(Failure) { step(try transform(value), frame) } catch { frame.fail(error) }
      }
    }
  }
}
