// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs the signal and calls the closures with its events.
  ///
  /// The closures are called serially, on the thread on which the source sends. A synchronous source runs to
  /// its end before this returns. When the signal ends, the subscription is disposed first, and then
  /// `completed` or `failed` is called. Without `failed`, a failure goes to ``UnhandledErrors``. Nothing is
  /// buffered.
  ///
  /// Discarding the returned subscription does not end it; see ``ScopedDisposable``.
  ///
  /// ReactiveObjC: `-subscribeNext:error:completed:` and its shorter forms.
  @inlinable @inline(__always) @discardableResult
  public func subscribe(
    next: consuming @escaping @Sendable (Value) -> Void = { _ in },
    failed: (@Sendable (Failure) -> Void)? = nil,
    completed: (@Sendable () -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let isLocal = signal.timing == .synchronous
    let subscription = Subscription(isLocal ? .local : .shared)
    attach(
      Sink(
        next: next, gate: isLocal ? .ahead : .missing, ending: .bySource,
        terminate: subscriberEnding(
          subscription, failed: failed, completed: completed, fileID: fileID, line: line),
        subscription: subscription))
    return subscription
  }

  /// Runs the signal and sends its events to `observer`: to an ``Observer``, a ``Subject``, or anything else
  /// that takes events.
  ///
  /// The run retains the observer until it ends. An observer may be subscribed to several signals. The first
  /// terminal event ends all its subscriptions and reaches it once; forwarding to one that has ended still
  /// runs the source, and disposes the new subscription at once. A failure that comes after that is dropped,
  /// whereas ``ObserverProtocol/fail(_:)`` after the end is reported. Events are sent on the thread on which
  /// this signal sends them; only the observer buffers. If the clean-up of this signal disposes the run that
  /// an ``Observer`` feeds, a failure of the signal goes to ``UnhandledErrors``.
  ///
  /// This is not called `subscribe`: with two functions of that name, an unlabelled closure could belong to
  /// either, and the compiler would try every overload of the operators in all closures of a chain before it
  /// decides.
  ///
  /// ReactiveObjC: `-subscribe:`.
  @inlinable @discardableResult
  public func forward<Receiver: ObserverProtocol>(to observer: Receiver) -> Subscription
  where Receiver.Value == Value, Receiver.Failure == Failure {
    let subscription = Subscription()
    feed(observer, in: subscription, next: { observer.send($0) }) { $0.end() }
    return subscription
  }

  /// Runs the signal in `subscription`, which `observer` adopts, and sends its events to the observer.
  ///
  /// - Parameters:
  ///   - next: sends a value to `observer`.
  ///   - end: called with the subscription when there is a terminal event: ends it. If it returns false, the
  ///     subscription had already been ended, and the event is dropped.
  @inlinable
  func feed<Receiver: ObserverProtocol>(
    _ observer: Receiver, in subscription: Subscription, next: @escaping @Sendable (Value) -> Void,
    ending end: @escaping @Sendable (Subscription) -> Bool
  ) where Receiver.Value == Value, Receiver.Failure == Failure {
    observer.adopt(subscription)
    attach(
      Sink(
        next: next,
        terminate: { completion in
          let delivery = (observer as? Observer<Value, Failure>)?.delivery
          // An observer that has ended already decides by itself.
          let hadEnded = delivery?.hasEnded
          guard end(subscription) else { return }
          // `end` has run a clean-up, which may have disposed this run, or the one that the observer feeds:
          // the observer would drop the failure, which was sent before.
          if subscription.isDismissed || hadEnded == false && delivery?.hasEnded == true {
            return subscription.reportError(of: completion)
          }
          observer.terminate(completion)
        },
        subscription: subscription))
  }
}

/// Returns what a subscriber does with a terminal event: end the subscription, and then call the closure for
/// it.
@inlinable @inline(__always)
func subscriberEnding<Failure: Error>(
  _ subscription: Subscription, failed: (@Sendable (Failure) -> Void)?,
  completed: (@Sendable () -> Void)?,
  fileID: StaticString, line: UInt
) -> @Sendable (Completion<Failure>) -> Void {
  // A signal that cannot fail captures nothing for a failure. A closure that captures just one object needs
  // no memory of its own.
  if Failure.isImpossible {
    guard let completed else { return { _ in subscription.end() } }
    return { subscription.end(with: $0) { _ in completed() } }
  }
  return { completion in
    subscription.end(with: completion) {
      switch $0 {
      case .completed: completed?()
      case .failed(let error):
        if let failed { return failed(error) }
        UnhandledErrors.report(error, in: subscription.name, fileID: fileID, line: line)
      }
    }
  }
}
