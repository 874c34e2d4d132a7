// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends what all of `signals` send, as it comes.
  ///
  /// They are subscribed in order, and run beside each other; if one fails while it is subscribed, the later ones are not.
  /// Completes when all have completed, at once if there are none. Threads and queueing are those of
  /// ``SignalConvertible/bind(_:)``.
  ///
  /// ReactiveObjC: `+merge:`.
  public static func merge(_ signals: [Signal]) -> Signal {
    Signal<Signal, Failure>(signals).flatten()
  }
}

extension SignalConvertible {
  /// Sends what this signal and `other` send, as it comes.
  ///
  /// ReactiveObjC: `-merge:`.
  public func merge(with other: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    .merge([signal, other.signal])
  }
}
