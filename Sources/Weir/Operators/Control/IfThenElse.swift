// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value == Bool {
  /// Forwards the values of one signal after each `true`, and those of another after each `false`.
  ///
  /// Nothing is sent before the first value. Each value, even if it repeats the last one, disposes the signal
  /// that is running and subscribes its own. Completes when this signal and the one subscribed last have
  /// completed. The first failure of any disposes the rest and is forwarded. Delivery is as with
  /// ``switchToLatest()``. Retains both signals while this one runs. All have one failure type: if this one
  /// cannot fail, as that of a property, put ``setFailureType(to:)`` behind it.
  ///
  /// - Parameters:
  ///   - affirmative: the signal to run after `true`.
  ///   - negative: the signal to run after `false`.
  ///
  /// ReactiveObjC: `+if:then:else:`.
  @inlinable
  public func `if`<Output>(
    then affirmative: some SignalConvertible<Output, Failure>,
    else negative: some SignalConvertible<Output, Failure>
  ) -> Signal<Output, Failure> {
    map { [affirmative = affirmative.signal, negative = negative.signal] value in
      value ? affirmative : negative
    }.switchToLatest()
  }
}
