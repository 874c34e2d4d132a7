// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls `action` with each value before it is passed on.
  ///
  /// It is not called for values that come after the end of the subscription. If it throws, the signal fails with that error
  /// and its source is stopped. Runs where the source sends; buffers nothing.
  ///
  /// ReactiveObjC: `-doNext:`, and `-try:` for a closure that throws.
  @inlinable @inline(__always)
  public func doNext(_ action: @escaping @Sendable (Value) throws(Failure) -> Void) -> Signal<
    Value, Failure
  > {
    map { (value) throws(Failure) in
      try action(value)
      return value
    }
  }

  /// Calls `action` with the error, if the signal fails, before the failure is passed on. Not when it is disposed.
  ///
  /// ReactiveObjC: `-doError:`.
  @inlinable @inline(__always)
  public func doFailed(_ action: @escaping @Sendable (Failure) -> Void) -> Signal<Value, Failure> {
    onTermination { if case .failed(let error) = $0 { action(error) } }
  }

  /// Calls `action`, if the signal completes, before the completion is passed on. Not when it is disposed.
  ///
  /// ReactiveObjC: `-doCompleted:`.
  @inlinable @inline(__always)
  public func doCompleted(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
    onTermination { if case .finished = $0 { action() } }
  }

  /// Calls `action` when the signal completes or fails, before that is passed on. Not when it is disposed.
  ///
  /// ReactiveObjC: `-finally:`.
  @inlinable @inline(__always)
  public func finally(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
    onTermination { _ in action() }
  }

  /// Calls `action` once per subscription, before the signal is run. Of several, the last one written runs first.
  ///
  /// ReactiveObjC: `-initially:`.
  @inlinable @inline(__always)
  public func initially(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
    lift { sink in
      action()
      return sink
    }
  }

  @inlinable @inline(__always)
  func onTermination(_ action: @escaping @Sendable (Completion<Failure>) -> Void) -> Signal<
    Value, Failure
  > {
    lift { sink in
      let terminate = sink.terminate
      return sink.upstream(
        next: sink.next,
        terminate: { completion in
          if sink.subscription.isDisposed { return }
          action(completion)
          terminate(completion)
        })
    }
  }
}
