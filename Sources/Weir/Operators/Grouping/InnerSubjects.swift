// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The subscriptions to the subjects that an operator feeds in one run. Owned by the closures of the
/// upstream: when those are released without a terminal event, the subscriptions end without one. Otherwise a
/// subscriber that captures its group would retain it, and itself, for ever.
@usableFromInline
final class InnerSubjects<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let subscriptions = Subscription()

  @usableFromInline init() {}

  deinit { subscriptions.endWithOwner() }

  /// The events of a subject, for as long as the run lasts. A later subscriber gets the terminal event.
  @inlinable
  func signal(of subject: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    Signal(attaching: { [signal = subject.signal, subscriptions] sink, _ in
      // In this order: adopting a subscription when the run is over ends it, and it could no longer get the
      // terminal event.
      signal.attach(sink)
      subscriptions.adopt(sink.subscription)
    })
  }

  /// Ends the run: first the outer signal, then the open subjects, in their order, as in ReactiveObjC.
  @usableFromInline
  func end<Outer, Inner: ObserverProtocol<Value, Failure>>(
    _ sink: Sink<Outer, Failure>, with completion: Completion<Failure>, open: [Inner]
  ) {
    if sink.subscription.isDisposed { return }
    sink.terminate(completion)
    for subject in open { subject.terminate(completion) }
  }
}
