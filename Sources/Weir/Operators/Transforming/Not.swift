// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value == Bool {
  /// Sends the opposite of each value. Terminal events pass through. Runs on the sending thread; buffers
  /// nothing.
  ///
  /// ReactiveObjC: `-not`.
  @inlinable @inline(__always)
  public func not() -> Signal<Bool, Failure> { map { !$0 } }
}
