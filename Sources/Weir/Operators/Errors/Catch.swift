// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs the signal that `handler` answers in place of a failure.
  ///
  /// The failed source is disposed first. The new signal is subscribed where the source failed, shares the subscription, and
  /// ends it in its own way: it may fail too, with another type of error, or with `Never`. Values and completion pass
  /// through. Buffers nothing.
  ///
  /// ReactiveObjC: `-catch:`, and `-catchTo:` with a closure that ignores the error.
  public func `catch`<NewFailure>(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(connecting: { [connect = signal.connect] sink in
      let upstream = Subscription()
      let lifeline = Lifeline(of: sink.subscription)
      sink.subscription.adopt(upstream)
      connect(
        Sink(
          next: sink.direct,
          terminate: { completion in
            guard upstream.end() else { return }
            lifeline.cut()
            switch completion {
            case .finished: sink.terminate(.finished)
            case .failed(let error): handler(error).connect(sink)
            }
          },
          subscription: upstream))
    })
  }

  /// Fails with `transform(error)` instead of `error`. Values and completion pass through; buffers nothing. ReactiveObjC has
  /// no such operator.
  public func mapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Signal<Value, NewFailure> {
    `catch` { .fail(transform($0)) }
  }
}

extension SignalConvertible where Failure == Never {
  /// The same signal with a type of failure that it will not use, to combine it with others. ReactiveObjC needs none.
  public func setFailureType<NewFailure>(to _: NewFailure.Type) -> Signal<Value, NewFailure> {
    `catch` { (_: Never) -> Signal<Value, NewFailure> in }
  }
}

/// Ends a subscription when whoever should go on feeding it lets go without a word. Owned by the closures of an upstream.
final class Lifeline: @unchecked Sendable {
  // Unchecked: cut by the one terminal event of the upstream, released after it.
  @exclusivity(unchecked) private var subscription: Subscription?

  init(of subscription: Subscription) { self.subscription = subscription }

  deinit { subscription?.dispose() }

  func cut() { subscription = nil }
}
