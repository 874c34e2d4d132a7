// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs the signal that `handler` answers in place of a failure.
  ///
  /// The failed source is disposed first. The new signal is subscribed where the source failed, shares the subscription, and
  /// ends it in its own way: it may fail too, with another type of error, or with `Never`. (So a `handler` answers ``Signal/fail(_:)``
  /// where others throw.) Values and completion pass through. Buffers nothing.
  ///
  /// The compiler does not guess the type of failure of a signal that never fails: write it out, or use ``catchAndReturn(_:)``.
  ///
  /// ```swift
  /// prices.catch { _ in Signal<Int, Never>.just(0) }
  /// ```
  ///
  /// ReactiveObjC: `-catch:`.
  @inlinable
  public func `catch`<NewFailure>(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(connecting: { [connect = signal.connect] sink in
      connect(
        sink.stage { (completion: Completion<Failure>) in
          switch completion {
          case .finished: sink.terminate(.finished)
          case .failed(let error):
            let replacement = handler(error)
            if !sink.isEnded { replacement.attach(sink) }
          }
        })
    })
  }

  /// Runs `replacement` in place of a failure, whatever the error. The rest is as with ``catch(_:)``.
  ///
  /// ```swift
  /// prices.catchTo(Signal<Int, Never>.empty())
  /// ```
  ///
  /// ReactiveObjC: `-catchTo:`.
  @inlinable
  public func catchTo<NewFailure>(
    _ replacement: some SignalConvertible<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    let replacement = replacement.signal
    return `catch` { _ in replacement }
  }
}
