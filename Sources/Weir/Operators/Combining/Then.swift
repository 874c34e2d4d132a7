// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Ignores the values of this signal and, when it completes, runs the one that `factory` returns.
  ///
  /// A failure is forwarded, and `factory` is not called. Nor is it if this signal lets go without a terminal
  /// event: the run then ends at once without one. The second signal is subscribed on the thread on which the
  /// first completed; its events are forwarded. It may continue as another one by a `then` of its own, and so
  /// on for ever: that needs neither stack nor memory. If `factory` throws, the run fails with that error.
  /// The second signal has the failure type of this one: see ``setFailureType(to:)``. Buffers nothing.
  ///
  /// ReactiveObjC: `-then:`.
  @inlinable
  public func then<Output>(
    _ factory: @escaping @Sendable () throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    let second = Signal<Output, Failure>.deferred {
      do throws(Failure) { return try factory() } catch { return .fail(error) }
    }
    return compactMap { _ in Output?.none }.concat(second)
  }
}
