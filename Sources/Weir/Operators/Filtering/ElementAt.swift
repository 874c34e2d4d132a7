// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the value at position `index`, counted from 0, and completes. A signal that completes before has
  /// no such value, and this one completes without any. Failures before that pass through. Runs where the
  /// source sends, which is stopped then; buffers nothing.
  ///
  /// - Precondition: `index` is not negative.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func element(at index: Int) -> Signal<Value, Failure> {
    precondition(index >= 0, "weir: element(at: \(index)): the position must not be negative")
    return skip(first: index).take(first: 1)
  }
}
