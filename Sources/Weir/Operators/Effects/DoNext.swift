// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls `action` with each value before it is passed on.
  ///
  /// It is not called for values that come after the end of the subscription. A value that is under way when
  /// a closure above, in the same chain, disposes the subscription still passes the closures below that one,
  /// `action` among them; the subscriber does not get it. If it throws, the signal fails with that error and
  /// its source is stopped; ``attempt(_:)`` takes an action that throws any error. Runs where the source
  /// sends; buffers nothing.
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
