// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends `transform(value)` for each value, where `transform` may throw any error: ``map(_:)`` takes a
  /// closure that throws the signal's own failure, or nothing.
  ///
  /// If `transform` throws, the signal fails with that error and its source is stopped. A failure of the
  /// source is forwarded as an `any Error`. Completion passes through. Runs on the sending thread; buffers
  /// nothing.
  ///
  /// ReactiveObjC: `-tryMap:`.
  @inlinable @inline(__always)
  public func tryMap<Output>(
    _ transform: @escaping @Sendable (Value) throws -> Output
  ) -> Signal<Output, any Error> {
    mapError { $0 as any Error }.map(transform)
  }
}
