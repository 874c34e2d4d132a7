// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What the subjects have in common that an operator feeds in one run. The closures of the upstream own it:
/// when they go and there was no terminal event, the subscriptions to these subjects end without one.
/// Otherwise a subscriber that captures its group would keep it, and itself, for ever.
@usableFromInline
final class InnerSubjects<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let subscriptions = Subscription()

  @usableFromInline init() {}

  deinit { subscriptions.endWithOwner() }

  /// The events of a subject, for as long as the run lasts. Who comes after a terminal event gets it.
  @inlinable
  func signal(of subject: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    Signal(connecting: { [connect = subject.signal.connect, subscriptions] sink in
      // In this order: a subscription adopted when the run is over ends, and could no longer get the terminal
      // event.
      connect(sink)
      subscriptions.adopt(sink.subscription)
    })
  }

  /// Ends the run: first the signal of the subjects, then those that are open, in their order, as in
  /// ReactiveObjC.
  @usableFromInline
  func end<Outer, Inner: ObserverProtocol<Value, Failure>>(
    _ sink: Sink<Outer, Failure>, with completion: Completion<Failure>, open: [Inner]
  ) {
    if sink.subscription.isDisposed { return }
    sink.terminate(completion)
    for subject in open { subject.terminate(completion) }
  }
}
