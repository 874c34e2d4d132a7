// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Combines each value with the previous result and passes the new result on; `initial` itself is not sent.
  ///
  /// Each subscription starts from `initial`. If `combine` throws, the signal fails with that error and its source is
  /// stopped. Terminal events pass through. Keeps one result; buffers nothing.
  ///
  /// ReactiveObjC: `-scanWithStart:reduce:`.
  @inlinable @inline(__always)
  public func scan<Result: Sendable>(
    _ initial: Result, _ combine: @escaping @Sendable (Result, Value) throws(Failure) -> Result
  ) -> Signal<Result, Failure> {
    lift { sink in
      let (next, terminate) = (sink.next, sink.terminate)
      let state = SubscriptionState(initial)
      return sink.upstream(
        next: { value in
          do throws(Failure) {
            let result = try combine(state.value, value)
            state.value = result
            next(result)
          } catch {
            terminate(.failed(error))
          }
        },
        terminate: terminate)
    }
  }
}
