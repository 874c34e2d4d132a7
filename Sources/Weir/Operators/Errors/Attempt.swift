// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls `action` with each value before it is forwarded, and fails with what `action` throws, which may be
  /// any error. The rest is as with ``tryMap(_:)``.
  ///
  /// ReactiveObjC: `-try:`.
  @inlinable @inline(__always)
  public func attempt(_ action: @escaping @Sendable (Value) throws -> Void) -> Signal<Value, any Error> {
    mapError { $0 as any Error }.doNext(action)
  }
}
