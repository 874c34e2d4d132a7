// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The run of one of the signals that are brought together. It belongs to the closures that it is fed
/// through: so when it goes, the signal has ended or has let go, and nothing is kept for it any longer.
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

  // Not inlinable: see Lifeline. Asked here as well: the call would retain it, for each signal that has
  // ended.
  deinit { if !upstream.isDisposed { upstream.endWithOwner() } }

  /// Subscribes the signal, whose values and failure the delivery is there for.
  @inlinable
  final func listen<Value, Failure>(to signal: Signal<Value, Failure>) {
    listen(
      to: signal,
      by: Sink(
        next: { SerialDelivery<Value, Failure>(self.core).send($0) },
        terminate: { self.end(with: $0, in: SerialDelivery<Value, Failure>(self.core)) },
        subscription: upstream))
  }

  /// The same by a sink of one's own, which keeps this object. Nothing, if the end has come meanwhile.
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

/// The run of a signal that has a place. `complete` is called also for places about which something was noted
/// while a value was delivered: with how many of those are done.
@usableFromInline
final class PlacedRun: InnerRun, @unchecked Sendable {  // as InnerRun
  @usableFromInline let places: Places

  @inlinable @inline(__always)
  init(in core: DeliveryCore, _ places: Places, _ complete: @escaping @Sendable (_ count: Int) -> Void) {
    self.places = places
    super.init(in: core, complete)
  }

  @inlinable @inline(__always)
  func deliver<Item, Failure>(_ item: Item, by delivery: SerialDelivery<Item, Failure>) {
    delivery.send(item)
    if let count = places.takeNotes(after: delivery) { complete(count) }
  }
}
