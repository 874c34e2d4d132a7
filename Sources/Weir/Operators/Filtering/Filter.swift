// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards the values for which `isIncluded` is true.
  ///
  /// If `isIncluded` throws, the signal fails with that error and its source is stopped. Terminal events pass
  /// through. Runs on the sending thread; buffers nothing.
  ///
  /// ReactiveObjC: `-filter:`.
  @inlinable @inline(__always)
  public func filter(
    _ isIncluded: @escaping @Sendable (Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    liftInPlace { sink in
      let (step, frame) = sink.entry
      let hint = FoldingHint.constant
      return sink.upstream(frame) { value, frame in
        _ = hint
        do throws(Failure) { if try isIncluded(value) { step(value, frame) } } catch {
          frame.fail(error)
        }
      }
    }
  }
}
