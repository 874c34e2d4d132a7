// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends `transform(value)` for each value for which it is not nil: map and filter in one step, at the cost
  /// of one.
  ///
  /// If `transform` throws, the signal fails with that error and its source is stopped. Terminal events pass
  /// through. Runs on the sending thread; buffers nothing. ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func compactMap<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Output?
  ) -> Signal<Output, Failure> {
    liftInPlace { sink in
      let (step, frame) = sink.entry
      let hint = FoldingHint.constant
      return sink.upstream(frame) { value, frame in
        _ = hint
        do throws(Failure) {
          if let output = try transform(value) { step(output, frame) }
        } catch {
          frame.fail(error)
        }
      }
    }
  }
}
