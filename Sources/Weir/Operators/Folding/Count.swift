// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the number of values when the signal completes, and completes. The rest is as with
  /// ``reduce(_:_:)``.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func count() -> Signal<Int, Failure> { reduce(0) { count, _ in count + 1 } }
}
