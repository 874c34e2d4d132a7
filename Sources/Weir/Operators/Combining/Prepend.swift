// Part of Weir. SPDX-License-Identifier: Apache-2.0

// No overload for a signal that cannot fail, for the reason that Concat.swift names.
extension SignalConvertible {
  /// Runs `first`, and after its completion this signal. Both must have the same failure type: see
  /// ``setFailureType(to:)``. The rest is as with ``Signal/concat(_:)``.
  ///
  /// If this signal is hot, values that it sends before `first` has completed are missed. ReactiveObjC:
  /// `-concat:`, the other way round.
  @inlinable
  public func prepend(_ first: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    .concat([first.signal, signal])
  }
}
