// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls `transform` with the elements of each tuple as its arguments, and sends what it returns.
  ///
  /// So an existing function can be used as it is: `pairs.reduceEach(Point.init)`. If `transform` throws, the
  /// signal fails with that error and its source is stopped. Terminal events pass through. Runs on the
  /// sending thread; buffers nothing. Costs what ``map(_:)`` costs in an optimised build; ``map(_:)`` also
  /// takes a closure literal in this form: `pairs.map { x, y in x + y }`.
  ///
  /// - Parameter transform: returns what to send for the elements of one tuple.
  ///
  /// ReactiveObjC: `-reduceEach:`.
  @inlinable @inline(__always)
  public func reduceEach<each Element, Output>(
    _ transform: @escaping @Sendable (repeat each Element) throws(Failure) -> Output
  ) -> Signal<Output, Failure> where Value == (repeat each Element) {
    map(takingTuple(transform))
  }
}

/// The same function with its arguments in a tuple. A separate function, because the compiler (6.3) crashes
/// on a closure literal whose only parameter is a tuple of unknown length.
@inlinable @inline(__always)
func takingTuple<each Element, Failure: Error, Output>(
  _ transform: @escaping @Sendable (repeat each Element) throws(Failure) -> Output
) -> @Sendable ((repeat each Element)) throws(Failure) -> Output {
  @Sendable func apply(_ elements: (repeat each Element)) throws(Failure) -> Output {
    try transform(repeat each elements)
  }
  return apply
}
