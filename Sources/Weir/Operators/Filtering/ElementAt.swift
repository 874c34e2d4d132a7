// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the value at position `index`, counted from 0, and completes. If the signal completes before that
  /// position, this one completes without a value. Failures before it pass through. Runs on the sending
  /// thread, and stops the source with that value; buffers nothing.
  ///
  /// - Precondition: `index` is not negative.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func element(at index: Int) -> Signal<Value, Failure> {
    require(index >= 0, "weir: element(at: \(index)): the position must not be negative")
    return skip(first: index).take(first: 1)
  }
}
