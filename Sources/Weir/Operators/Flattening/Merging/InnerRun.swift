// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The run of one inner signal. It is owned by the closures of the sink that the signal is fed through: so
/// when it is released, the signal has ended or has let go without a terminal event, and nothing is retained
/// for it any longer.
@usableFromInline
class InnerRun: @unchecked Sendable {
  // Unchecked: constant, as is what subclasses add.
  @usableFromInline final let core: DeliveryCore
  @usableFromInline final let upstream = Subscription()
  @usableFromInline final let complete: @Sendable (_ count: Int) -> Void

  /// - Parameters:
  ///   - core: delivers what the signal sends, and its failure.
  ///   - complete: called with 1 when the signal has completed.
  @inlinable @inline(__always)
  init(in core: DeliveryCore, _ complete: @escaping @Sendable (_ count: Int) -> Void) {
    self.core = core
    self.complete = complete
  }

  // Not inlinable: see Lifeline. Checked here as well: the call would retain `upstream`, for each signal that
  // has ended.
  deinit { if !upstream.isDisposed { upstream.endWithOwner() } }

  /// Subscribes to the signal; its values and its failure go to the delivery.
  @inlinable
  final func listen<Value, Failure>(to signal: Signal<Value, Failure>) {
    listen(
      to: signal,
      by: Sink(
        next: { SerialDelivery<Value, Failure>(self.core).send($0) },
        terminate: { self.end(with: $0, in: SerialDelivery<Value, Failure>(self.core)) },
        subscription: upstream))
  }

  /// The same with the caller's own sink, which retains this object. Does nothing if the run has ended
  /// meanwhile.
  @inlinable @inline(__always)
  final func listen<Value, Failure>(
    to signal: Signal<Value, Failure>, by sink: consuming Sink<Value, Failure>
  ) {
    core.upstreams.adopt(upstream)
    if !upstream.isDisposed { signal.attach(sink) }
  }

  @inlinable
  final func end<Item, Failure>(
    with completion: Completion<Failure>, in delivery: SerialDelivery<Item, Failure>
  ) {
    delivery.end(upstream, with: completion) { complete(1) }
  }
}

extension InnerRun {
  /// For the run of a signal that has a place: `complete` is called also for what was noted about places
  /// during the delivery of a value, with the number of places that are done.
  @inlinable @inline(__always)
  final func deliver<Item, Failure>(_ item: Item, by delivery: SerialDelivery<Item, Failure>) {
    delivery.send(item)
    if let count = Places(of: core).takeNotes(after: delivery) { complete(count) }
  }
}
