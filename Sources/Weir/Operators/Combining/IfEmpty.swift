// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs `other` if this signal completes without having sent a value. Values and failures pass through. If
  /// this signal lets go without a terminal event, the run ends at once without one, and `other` is not run.
  ///
  /// `other` is subscribed on the thread on which this signal completed; its events are forwarded. It has the
  /// failure type of this signal, or cannot fail. Buffers nothing. ReactiveObjC has no such operator.
  @inlinable
  public func switchIfEmpty(_ other: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    let other = other.signal
    return Signal<Value, Failure>.deferred { [signal] in
      let isEmpty = OperatorState(true)
      return signal.map { value in
        isEmpty.value = false
        return value
      }.concat(Signal<Value, Failure>.deferred { isEmpty.value ? other : .empty() })
    }
  }

  /// The same as ``switchIfEmpty(_:)``, for an `other` that cannot fail.
  ///
  /// ReactiveObjC has no such operator.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func switchIfEmpty(_ other: some SignalConvertible<Value, Never>) -> Signal<Value, Failure> {
    switchIfEmpty(other.setFailureType(to: Failure.self))
  }

  /// Sends `value` and completes if this signal completes without having sent one, both on the thread of that
  /// completion. The rest is as with ``switchIfEmpty(_:)``. ReactiveObjC has no such operator.
  @inlinable
  public func defaultIfEmpty(_ value: Value) -> Signal<Value, Failure> where Value: Sendable {
    switchIfEmpty(Signal<Value, Failure>.just(value))
  }
}
