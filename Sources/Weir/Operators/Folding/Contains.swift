// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends whether any value equals `element`. The rest is as with ``any(where:)``.
  ///
  /// ReactiveObjC: `-any:` with a comparison.
  @inlinable @inline(__always)
  public func contains(_ element: Value) -> Signal<Bool, Failure>
  where Value: Equatable & Sendable {
    any(where: { $0 == element })
  }
}
