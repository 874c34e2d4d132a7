// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Ignores the values of this signal and, when it completes, runs the one that `factory` returns.
  ///
  /// A failure is forwarded, and `factory` is not called. Nor is it if this signal lets go without a terminal
  /// event: the run then ends at once without one. The second signal is subscribed on the thread on which the
  /// first completed; its events are forwarded. It may continue as another one by a `then` of its own, and so
  /// on for ever: that needs neither stack nor memory. Buffers nothing.
  ///
  /// ReactiveObjC: `-then:`.
  @inlinable
  public func then<Output>(_ factory: @escaping @Sendable () -> Signal<Output, Failure>) -> Signal<
    Output, Failure
  > {
    compactMap { _ in Output?.none }.concat(Signal<Output, Failure>.deferred(factory))
  }
}
