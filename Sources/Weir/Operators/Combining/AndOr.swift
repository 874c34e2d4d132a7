// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value == Bool {
  /// Whether this signal and all of `others` have sent true last; each time one of them sends a value, once all have.
  ///
  /// Threads, completion, failure and memory are those of ``combineLatest(with:)``. ReactiveObjC: `-and`, on a signal of tuples.
  @inlinable
  public func and(_ others: any SignalConvertible<Bool, Failure>...) -> Signal<Bool, Failure> {
    Signal.combineLatest(beside(others)).map { (values) throws(Failure) in
      !values.contains(false)
    }
  }

  /// Whether this signal or any of `others` has sent true last; each time one of them sends a value, once all have.
  ///
  /// Threads, completion, failure and memory are those of ``combineLatest(with:)``. ReactiveObjC: `-or`, on a signal of tuples.
  @inlinable
  public func or(_ others: any SignalConvertible<Bool, Failure>...) -> Signal<Bool, Failure> {
    Signal.combineLatest(beside(others)).map { (values) throws(Failure) in
      values.contains(true)
    }
  }
}
