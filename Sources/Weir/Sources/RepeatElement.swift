// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Of the protocol for the reason that JustEmptyNeverFail.swift names.
extension SignalConvertible {
  /// A signal that sends one value over and over, on the subscribing thread, until the subscription ends.
  /// Something downstream has to end it, as ``SignalConvertible/take(first:)`` does; until then, subscribing
  /// does not return.
  ///
  /// ReactiveObjC has no such source.
  @inlinable @inline(__always)
  public static func repeatElement<Output: Sendable, OutputFailure>(
    _ value: Output
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> {
    Signal(.immediate, attaching: { sink, _ in sink.sending { next in while !sink.isEnded { next(value) } } })
  }
}
