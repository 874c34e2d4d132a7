// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls `action` with each value before it is forwarded.
  ///
  /// `action` is not called for values that arrive after the end of the subscription. If a closure upstream
  /// in the same chain disposes the subscription while it handles a value, that value still reaches the
  /// closures behind it, including `action`, as far as ``Subscription/dispose()`` says, but not the
  /// subscriber. If `action` throws, the signal fails with that error and its source is stopped;
  /// ``attempt(_:)`` takes an action that throws any error. Runs on the sending thread; buffers nothing.
  ///
  /// ReactiveObjC: `-doNext:`, and `-try:` for a closure that throws.
  @inlinable @inline(__always)
  public func doNext(
    _ action: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> Signal<Value, Failure> {
    map { (value) throws(Failure) in
      try action(value)
      return value
    }
  }
}
