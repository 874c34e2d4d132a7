// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Passes on `transform` of the elements of each tuple: its arguments are the elements, as many as there
  /// are.
  ///
  /// So a function that exists can be used as it is, as in `pairs.reduceEach(Point.init)`. If `transform`
  /// throws, the signal fails with that error and its source is stopped. Terminal events pass through. Runs
  /// where the source sends; buffers nothing. Costs what ``map(_:)`` costs in an optimised build; a closure
  /// literal can be given to that in the same form: `pairs.map { x, y in x + y }`.
  ///
  /// ReactiveObjC: `-reduceEach:`.
  ///
  /// - Parameter transform: returns what to send for the elements of one tuple.
  @inlinable @inline(__always)
  public func reduceEach<each Element, Output>(
    _ transform: @escaping @Sendable (repeat each Element) throws(Failure) -> Output
  ) -> Signal<Output, Failure> where Value == (repeat each Element) {
    map(takingTuple(transform))
  }
}

/// The same function with its arguments in a tuple. A function of its own: the compiler (6.3) crashes over a
/// closure literal whose only parameter is a tuple of unknown length.
@inlinable @inline(__always)
func takingTuple<each Element, Failure: Error, Output>(
  _ transform: @escaping @Sendable (repeat each Element) throws(Failure) -> Output
) -> @Sendable ((repeat each Element)) throws(Failure) -> Output {
  @Sendable func apply(_ elements: (repeat each Element)) throws(Failure) -> Output {
    try transform(repeat each elements)
  }
  return apply
}
