// Part of Weir. SPDX-License-Identifier: Apache-2.0

// One method for each number of arguments: the compiler (6.3) refuses to store a function of unknown arity in
// a tuple. Beyond three, `reduceEach { function, a, b, c, d in function(a, b, c, d) }` does the same.

extension SignalConvertible {
  /// Calls the function that is the first element of each tuple with the others, and sends what it returns.
  ///
  /// If the function throws, the signal fails with that error and its source is stopped; its type is
  /// `throws(Failure)`: a plain function, for a signal that cannot fail. Terminal events pass through. Runs
  /// on the sending thread; buffers nothing. For more than three arguments use ``reduceEach(_:)`` with
  /// `{ function, a, b, c, d in function(a, b, c, d) }`.
  ///
  /// ReactiveObjC: `-reduceApply`.
  @inlinable @inline(__always)
  public func reduceApply<Argument, Output>() -> Signal<Output, Failure>
  where Value == (@Sendable (Argument) throws(Failure) -> Output, Argument) {
    mapApart { (function, argument) throws(Failure) in try function(argument) }
  }

  /// The same with two arguments; see ``reduceApply()-3jeha``.
  ///
  /// ReactiveObjC: `-reduceApply`.
  @inlinable @inline(__always)
  public func reduceApply<First, Second, Output>() -> Signal<Output, Failure>
  where Value == (@Sendable (First, Second) throws(Failure) -> Output, First, Second) {
    mapApart { (function, first, second) throws(Failure) in try function(first, second) }
  }

  /// The same with three arguments; see ``reduceApply()-3jeha``.
  ///
  /// ReactiveObjC: `-reduceApply`.
  @inlinable @inline(__always)
  public func reduceApply<First, Second, Third, Output>() -> Signal<Output, Failure>
  where Value == (@Sendable (First, Second, Third) throws(Failure) -> Output, First, Second, Third) {
    mapApart { (function, first, second, third) throws(Failure) in
      try function(first, second, third)
    }
  }

  /// ``map(_:)``, but inlined only where all types are known: the optimiser of Swift 6.2 crashes on the body
  /// of `map` where a value contains a generic function, so a generic `reduceApply` must not get it.
  @inlinable
  func mapApart<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Output
  ) -> Signal<Output, Failure> {
    map(transform)
  }
}
