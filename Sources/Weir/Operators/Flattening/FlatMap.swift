// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Turns each value into a signal and sends what all of those send, as it comes.
  ///
  /// All signals run beside each other. Threads, order, completion and failure are those of ``bind(_:)``.
  ///
  /// ReactiveObjC: `-flattenMap:`.
  public func flatMap<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    bind {
      { (value) throws(Failure) in .next(try transform(value)) }
    }
  }

  /// Sends what all of the signals send that this signal sends, as it comes.
  ///
  /// Threads, order, completion and failure are those of ``bind(_:)``.
  ///
  /// ReactiveObjC: `-flatten`.
  public func flatten<Output>() -> Signal<Output, Failure> where Value: SignalConvertible<Output, Failure> {
    flatMap { $0.signal }
  }
}
