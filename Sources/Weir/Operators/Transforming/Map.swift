// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Passes on `transform(value)` for each value.
  ///
  /// If `transform` throws, the signal fails with that error and its source is stopped. Terminal events pass through. Runs
  /// where the source sends; buffers nothing. In a hot chain it costs two closure calls, in a cold one it is inlined.
  ///
  /// ReactiveObjC: `-map:`, and `-tryMap:` for a closure that throws.
  @inlinable @inline(__always)
  public func map<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Output
  ) -> Signal<Output, Failure> {
    liftInPlace { sink in
      let (next, terminate) = (sink.next, sink.terminate)
      return sink.upstream(
        next: { value in
          do throws(Failure) { next(try transform(value)) } catch { terminate(.failed(error)) }
        },
        terminate: terminate)
    }
  }
}
