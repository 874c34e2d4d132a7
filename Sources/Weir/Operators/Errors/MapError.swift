// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Fails with `transform(error)` instead of `error`.
  ///
  /// The closure runs where the source fails, before the failure is passed on; not after disposal. If it ends
  /// the run, the error that it returns goes to ``UnhandledErrors``. Values and completion pass through, and
  /// a value costs nothing. Buffers nothing. ReactiveObjC has no such operator.
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
            subscription.pass(.failed(failure), to: terminate)
          }
        }))
    }
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
