// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Drops the values that equal `value`. Terminal events pass through. Runs on the sending thread; buffers
  /// nothing.
  ///
  /// ReactiveObjC: `-ignore:`.
  @inlinable @inline(__always)
  public func ignore(_ value: Value) -> Signal<Value, Failure> where Value: Equatable & Sendable {
    filter { $0 != value }
  }
}
