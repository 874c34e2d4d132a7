// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Failure == Never {
  /// Gives a signal that cannot fail a failure type, so that it can be combined with others.
  ///
  /// Events pass through, and a value costs nothing. Buffers nothing. ReactiveObjC, without failure types,
  /// needs no such operator.
  ///
  /// - Parameter type: the failure type of the others.
  @inlinable @inline(__always)
  public func setFailureType<NewFailure>(to type: NewFailure.Type) -> Signal<Value, NewFailure> {
    mapError { (error) -> NewFailure in }
  }
}
