// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards events until `lifetime` ends, and then completes. If it has ended already, this signal is not
  /// subscribed.
  ///
  /// Neither the run nor the lifetime retains the other. If this signal lets go without a terminal event, as
  /// a subject does when it is released, the subscription ends without one. With ``take(until:)`` and
  /// ``Lifetime/ended`` it waits for the end of the lifetime, and completes. The completion is sent on the
  /// thread that ends the lifetime, or on one that is already delivering; delivery is serial, and costs one
  /// turn per value (see ``Subject``). Buffers nothing unless a value and the end meet, and then in a queue
  /// that is bounded only by memory.
  ///
  /// ReactiveObjC: `-takeUntil:` with `rac_willDeallocSignal`.
  @inlinable
  public func take(during lifetime: Lifetime) -> Signal<Value, Failure> {
    take(untilDisposalOf: lifetime.ending)
  }

  /// Forwards events until `ending` is disposed, and then completes.
  @inlinable
  func take(untilDisposalOf ending: Subscription) -> Signal<Value, Failure> {
    Signal(attaching: { [source = signal] sink, _ in
      let delivery = SerialDelivery(to: sink)
      ending.list.add(.disposable(CompletionOfDelivery(delivery)), until: delivery.upstreams)
      delivery.listen(to: source, next: { delivery.send($0) })
    })
  }
}

/// Completes a delivery, which it does not retain: the lifetime of another object is no reason to go on
/// without a source.
@usableFromInline
final class CompletionOfDelivery<Item, Failure: Error>: Disposable, @unchecked Sendable {
  // Unchecked: written once; weak loads are atomic.
  @usableFromInline weak var core: DeliveryCore?

  @inlinable
  init(_ delivery: SerialDelivery<Item, Failure>) { core = delivery.core }

  @inlinable var isDisposed: Bool { core?.hasEnded ?? true }
  @inlinable
  func dispose() { if let core { SerialDelivery<Item, Failure>(core).terminate(.completed) } }
}
