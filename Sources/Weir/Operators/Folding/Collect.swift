// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends all values as one array when the signal completes, and completes. A failure is forwarded, and no
  /// value is sent.
  ///
  /// Buffers all values, without bound: use it for signals known to end soon. Sends on the thread on which
  /// the signal completed.
  ///
  /// ReactiveObjC: `-collect`, `-toArray`.
  @inlinable @inline(__always)
  public func collect() -> Signal<[Value], Failure> {
    reduce(making: { [] }) { $0.append($1) }
  }
}
