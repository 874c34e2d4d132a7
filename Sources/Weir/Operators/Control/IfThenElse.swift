// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value == Bool {
  /// Sends what the one signal sends after `true`, and what the other sends after `false`.
  ///
  /// Before the first value there is nothing. Each value, also one that comes twice in a row, ends the signal
  /// before it and subscribes its own. Completes when this signal and the newest of the others have
  /// completed. The first failure of any disposes the rest and is sent on. Delivery is that of
  /// ``switchToLatest()``. It keeps both while this signal runs.
  ///
  /// ReactiveObjC: `+if:then:else:`.
  ///
  /// - Parameters:
  ///   - affirmative: the signal to run after `true`.
  ///   - negative: the signal to run after `false`.
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
