// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends `value` in place of a failure, whatever the error, and completes. The returned signal cannot fail.
  ///
  /// It is ``catch(_:)->Signal<Self.Value,NewFailure>`` with ``just(_:)-2bgdm``: the failed source is
  /// disposed first, with the exception named there, and `value` is sent on the thread on which it failed.
  /// Values and completion pass through. Buffers nothing.
  ///
  /// ```swift
  /// prices.catchAndReturn(0).subscribe { show($0) }
  /// ```
  ///
  /// ReactiveObjC: `-catchTo:` with `+return:`.
  @inlinable
  public func catchAndReturn(_ value: Value) -> Signal<Value, Never> where Value: Sendable {
    `catch` { _ in Signal<Value, Never>.just(value) }
  }
}
