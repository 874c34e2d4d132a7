// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Fails with `transform(error)` instead of `error`.
  ///
  /// `transform` runs on the thread on which the source fails, before the failure is forwarded; not after
  /// disposal. If it ends the run, the error that it returns goes to ``UnhandledErrors``. Values and
  /// completion pass through, and a value costs nothing. Buffers nothing. ReactiveObjC has no such operator.
  ///
  /// If an operator with a closure follows in the same expression, as in `.mapError { … }.map { … }`, the
  /// compiler assumes that the signal never fails: name the new failure type, with ``mapError(to:_:)``.
  @inlinable @inline(__always)
  public func mapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Signal<Value, NewFailure> {
    lift { sink in
      let (terminate, subscription) = (sink.terminate, sink.subscription)
      return sink.upstream(terminate: { (completion: Completion<Failure>) in
        switch completion {
        case .completed: terminate(.completed)
        case .failed(let error):
          if subscription.isDisposed { return }
          let failure = transform(error)
          subscription.pass(.failed(failure), to: terminate)
        }
      })
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
