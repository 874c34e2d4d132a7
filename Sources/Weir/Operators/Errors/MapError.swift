// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Fails with `transform(error)` instead of `error`.
  ///
  /// The closure runs where the source fails, before the failure is passed on; not after disposal. If it ends
  /// the run, the error that it returns goes to ``UnhandledErrors``. Values and completion pass through, and
  /// a value costs nothing. Buffers nothing. ReactiveObjC has no such operator.
  ///
  /// If a closure follows in the same expression, as in `.mapError { … }.map { … }`, the compiler takes it
  /// that the signal never fails: name the new type of failure, with ``mapError(to:_:)``.
  @inlinable @inline(__always)
  public func mapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Signal<Value, NewFailure> {
    let signal = self.signal
    return Signal<Value, NewFailure>(signal.timing) { [connect = signal.connect] sink in
      let (terminate, subscription) = (sink.terminate, sink.subscription)
      connect(
        sink.upstream(terminate: { (completion: Completion<Failure>) in
          switch completion {
          case .finished: terminate(.finished)
          case .failed(let error):
            if subscription.isDisposed { return }
            let failure = transform(error)
            if subscription.isDisposed { return subscription.report(failure) }
            terminate(.failed(failure))
          }
        }))
    }
  }

  /// Fails with `transform(error)` instead of `error`, and names the new type of failure, so that operators
  /// with closures can follow in the same expression. The rest is as with ``mapError(_:)``.
  ///
  /// ```swift
  /// lines.mapError(to: AppError.self) { AppError($0) }.map { $0.count }
  /// ```
  ///
  /// It ends with the source, runs where that sends, buffers nothing, and costs nothing for each value.
  /// ReactiveObjC has none.
  ///
  /// - Parameters:
  ///   - type: the new type of failure.
  ///   - transform: returns the error to fail with.
  @inlinable @inline(__always)
  public func mapError<NewFailure>(
    to type: NewFailure.Type, _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Signal<Value, NewFailure> {
    mapError(transform)
  }
}

extension SignalConvertible where Failure == Never {
  /// The same signal with a type of failure that it will not use, to combine it with others.
  ///
  /// Events pass through, and a value costs nothing. Buffers nothing. ReactiveObjC, without types of
  /// failures, needs no such operator.
  ///
  /// - Parameter type: the type of failure that the others have.
  @inlinable @inline(__always)
  public func setFailureType<NewFailure>(to type: NewFailure.Type) -> Signal<Value, NewFailure> {
    mapError { (error) -> NewFailure in }
  }
}
