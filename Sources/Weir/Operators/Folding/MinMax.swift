// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the smallest value when the signal completes, the first of equal ones, and completes; sends none
  /// if there were no values.
  ///
  /// If `areInIncreasingOrder` throws, the signal fails with that error and its source is stopped. A failure
  /// is forwarded, and no value is sent. Sends on the thread on which the signal completed. Retains one
  /// value; buffers nothing. ReactiveObjC has no such operator.
  ///
  /// - Parameter areInIncreasingOrder: returns whether its first argument is smaller than the second.
  @inlinable @inline(__always)
  public func min(
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    liftInPlace { (sink: Sink<Value?, Failure>) in
      sink.gathering(in: nil) { (best, value) throws(Failure) in
        if let known = best, try !areInIncreasingOrder(value, known) { return }
        best = value
      }
    }.compactMap { $0 }
  }

  /// Sends the largest value when the signal completes, the first of equal ones, and completes. The rest is
  /// as with ``min(by:)``; ReactiveObjC has no such operator.
  ///
  /// - Parameter areInIncreasingOrder: returns whether its first argument is smaller than the second.
  @inlinable @inline(__always)
  public func max(
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    min(by: { (first, second) throws(Failure) in try areInIncreasingOrder(second, first) })
  }

  /// Sends the smallest value when the signal completes, and completes. The rest is as with ``min(by:)``;
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func min() -> Signal<Value, Failure> where Value: Comparable & SendableMetatype {
    min(by: { $0 < $1 })
  }

  /// Sends the largest value when the signal completes, and completes. The rest is as with ``min(by:)``;
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func max() -> Signal<Value, Failure> where Value: Comparable & SendableMetatype {
    max(by: { $0 < $1 })
  }
}
