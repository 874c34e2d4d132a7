// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Hashable & Sendable {
  /// Forwards the values of the signal in `cases` for the newest key, or of `default` for a key that is not
  /// among the cases.
  ///
  /// The values of this signal are the keys. Nothing is sent before the first one; each key, even if it
  /// repeats the last one, disposes the case that is running and subscribes its own. Completes when this
  /// signal and the case subscribed last have completed. The first failure of either disposes the other and
  /// is forwarded. `nil` is a key like any other where keys are optional. Delivery is as with
  /// ``switchToLatest()``. Retains the cases while this signal runs. All have one failure type: if this one
  /// cannot fail, put ``setFailureType(to:)`` behind it.
  ///
  /// - Parameters:
  ///   - cases: the signal to run for each key.
  ///   - default: the signal to run for any other key.
  ///
  /// ReactiveObjC: `+switch:cases:default:`.
  @inlinable
  public func `switch`<Output>(
    cases: [Value: Signal<Output, Failure>], default: some SignalConvertible<Output, Failure>
  ) -> Signal<Output, Failure> {
    map { [other = `default`.signal] key in cases[key] ?? other }.switchToLatest()
  }
}

extension SignalConvertible where Value: Hashable & Sendable, Failure == any Error {
  /// Forwards the values of the signal in `cases` for the newest key, and fails with ``SwitchError`` at a key
  /// that is not among the cases.
  ///
  /// For signals that may fail with any error; with a failure of your own type, pass a default, which may be
  /// a signal that fails. The rest is as with ``switch(cases:default:)``.
  ///
  /// - Parameter cases: the signal to run for each key.
  ///
  /// ReactiveObjC: `+switch:cases:default:` with `nil` for the default.
  @inlinable
  public func `switch`<Output>(
    cases: [Value: Signal<Output, any Error>]
  ) -> Signal<Output, any Error> {
    map { (key) throws(any Error) in
      guard let signal = cases[key] else { throw SwitchError.noMatchingCase(key: key) }
      return signal
    }.switchToLatest()
  }
}

/// The error with which ``SignalConvertible/switch(cases:)`` itself fails.
///
/// ReactiveObjC: `RACSignalErrorNoMatchingCase`.
public enum SwitchError: Error {
  /// There is no case for this key, and no default.
  case noMatchingCase(key: any Hashable & Sendable)
}

extension SwitchError: Equatable {
  /// Compares the keys, which are of any type.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.noMatchingCase(let key), .noMatchingCase(let other)): AnyHashable(key) == AnyHashable(other)
    }
  }
}
