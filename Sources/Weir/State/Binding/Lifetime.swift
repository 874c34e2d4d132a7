// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The lifetime of an object, for everything that must stop when the object is deallocated. The object stores
/// it, and nothing else should.
///
/// ```swift
/// final class Session: HasLifetime {
///   let lifetime = Lifetime()
///   deinit { lifetime.end() }
/// }
/// ```
///
/// The lifetime ends once: when ``end()`` is called, at the latest when the token is released, which is right
/// after the object's own `deinit`, or, deep inside other such ends, when the innermost of them is over. Call
/// ``end()`` first in that `deinit` if what stops then still needs what the object stores; weak references to
/// the object are nil by then.
///
/// All of it may be called from any thread, and never waits. It retains what was added until the end; a
/// subscription that ends earlier is forgotten: what it holds is released then, and its own memory when
/// enough of them have ended. Costs two small allocations.
///
/// ReactiveObjC: what `rac_deallocDisposable` and `rac_willDeallocSignal` have in common; there every object
/// has one.
public final class Lifetime: Sendable {
  /// A separate object, so that what waits for the end does not delay it by retaining the token.
  @usableFromInline let ending = Subscription()

  /// A lifetime that begins now.
  public init() {}

  deinit { ReleaseQueue().end(ending) { $0.dispose() } }

  /// True once the first ``end()`` has started.
  public var isEnded: Bool { ending.isDisposed }

  /// Sends nothing, and completes when the lifetime ends, on the thread that ends it; a later subscriber gets
  /// the completion at once.
  ///
  /// It does not retain the lifetime. Completions and disposals run in the order in which they were
  /// requested.
  ///
  /// ReactiveObjC: `rac_willDeallocSignal`.
  public var ended: Signal<Never, Never> {
    Signal(attaching: { [ending] sink, _ in
      let completion = ActionDisposable { sink.terminate(.completed) }
      ending.list.add(.disposable(completion), until: sink.subscription)
    })
  }

  /// Ends the lifetime, on the calling thread: completes ``ended`` and disposes what was added, in the order
  /// in which these were requested. Only the first call counts; a second one does not wait for it.
  ///
  /// ReactiveObjC has none: there an object's deallocation does it.
  public func end() { ending.dispose() }

  /// Disposes `disposable` at the end, on the thread that ends the lifetime; at once, if it has ended
  /// already. A subscription is adopted: ``adopt(_:)``. Anything else is retained until the end, even if it
  /// is disposed meanwhile; what is disposed already is not added.
  ///
  /// ReactiveObjC: adding to `rac_deallocDisposable`.
  public func add(_ disposable: any Disposable) {
    if let subscription = disposable as? Subscription { adopt(subscription) } else { ending.add(disposable) }
  }

  /// Ends `subscription` with the lifetime, on the thread that ends that; at once, if it has ended already. A
  /// subscription that ends before is forgotten.
  ///
  /// ReactiveObjC: adding to `rac_deallocDisposable`.
  public func adopt(_ subscription: Subscription) {
    // Not as a run inside of `ending`: those are stopped before the first of them is disposed, and a
    // completion that was requested before comes first here.
    ending.list.add(.child(subscription), until: subscription)
  }
}

/// An object that reports its deallocation. Bindings to such an object end with it at once, and not only when
/// the next value finds it deallocated.
///
/// ReactiveObjC: every `NSObject`.
public protocol HasLifetime: AnyObject {
  /// The token, stored in the object: the same one each time.
  var lifetime: Lifetime { get }
}

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
