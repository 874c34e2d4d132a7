// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How long an object lives, for those who must stop when it goes. The object stores it, and nobody else
/// should.
///
/// ```swift
/// final class Session: HasLifetime {
///   let lifetime = Lifetime()
///   deinit { lifetime.end() }
/// }
/// ```
///
/// The lifetime ends once: when ``end()`` is called, at the latest when the token is released, which is right
/// after the object's own `deinit`; where one end leads to the next, a few levels deep, when those are over.
/// Call ``end()`` first thing in that `deinit` if those who are told still need what the object stores; weak
/// references to the object are nil by then.
///
/// All of it may be called from any thread, and never waits. It holds what was added until the end; a
/// subscription that ends earlier is let go of. Costs two small allocations.
///
/// ReactiveObjC: what `rac_deallocDisposable` and `rac_willDeallocSignal` have in common; there every object
/// has one.
public final class Lifetime: Sendable {
  /// An object of its own, so that those who wait for the end do not put it off.
  @usableFromInline let ending = Subscription()

  /// A lifetime that begins now.
  public init() {}

  deinit { ReleaseQueue().end(ending) { $0.dispose() } }

  /// True from the moment the first ``end()`` began.
  public var isEnded: Bool { ending.isDisposed }

  /// Sends nothing, and completes when the lifetime ends, on the thread that ends it; who subscribes later
  /// gets that at once.
  ///
  /// It does not keep the lifetime. Completions and disposals come in the order in which they were asked for.
  ///
  /// ReactiveObjC: `rac_willDeallocSignal`.
  public var ended: Signal<Never, Never> {
    Signal(connecting: { [ending] sink in
      let completion = ActionDisposable { sink.terminate(.finished) }
      ending.list.add(.disposable(completion), until: sink.subscription)
    })
  }

  /// Ends the lifetime, on the calling thread: completes ``ended`` and disposes what was added, in that order
  /// of asking. Only the first call counts; a second one does not wait for it.
  ///
  /// ReactiveObjC has none: there an object's deallocation does it.
  public func end() { ending.dispose() }

  /// Has `disposable` disposed at the end, on the thread that ends the lifetime; at once, if that is past. A
  /// subscription is adopted: ``adopt(_:)``.
  ///
  /// ReactiveObjC: adding to `rac_deallocDisposable`.
  public func add(_ disposable: any Disposable) {
    if let subscription = disposable as? Subscription { adopt(subscription) } else { ending.add(disposable) }
  }

  /// Has `subscription` end with the lifetime, on the thread that ends that; at once, if that is past. It is
  /// forgotten when it ends by itself.
  ///
  /// ReactiveObjC: adding to `rac_deallocDisposable`.
  public func adopt(_ subscription: Subscription) { ending.adopt(subscription) }
}

/// An object that tells when it goes. Bindings to such an object end with it at once, and not only when they
/// find it gone.
///
/// ReactiveObjC: every `NSObject`.
public protocol HasLifetime: AnyObject {
  /// The token, stored in the object: the same one each time.
  var lifetime: Lifetime { get }
}

extension SignalConvertible {
  /// Passes events on until `lifetime` ends, and then completes. One that has ended already does not run this
  /// signal.
  ///
  /// Does not keep the lifetime, nor does that keep the run: if this signal lets go without an event, as a
  /// subject does that is released, the subscription ends then and without one. With ``take(until:)`` and
  /// ``Lifetime/ended`` it waits for the end of the lifetime, and completes. The completion comes on the
  /// thread that ends it, or on one that is delivering already; delivery is serial, and costs one turn a
  /// value (see ``Subject``). Buffers nothing unless a value and the end meet.
  ///
  /// ReactiveObjC: `-takeUntil:` with `rac_willDeallocSignal`.
  @inlinable
  public func take(during lifetime: Lifetime) -> Signal<Value, Failure> {
    take(untilDisposalOf: lifetime.ending)
  }

  /// Passes events on until `ending` is disposed, and then completes.
  @inlinable
  func take(untilDisposalOf ending: Subscription) -> Signal<Value, Failure> {
    Signal(connecting: { [source = signal] sink in
      let delivery = SerialDelivery(to: sink)
      ending.list.add(.disposable(CompletionOfDelivery(delivery)), until: delivery.upstreams)
      delivery.listen(to: source)
    })
  }
}

/// Completes a delivery, which it does not keep: the lifetime of somebody else is no reason to go on without
/// a source.
@usableFromInline
final class CompletionOfDelivery<Item, Failure: Error>: Disposable, @unchecked Sendable {
  // Unchecked: written once; weak loads are atomic.
  @usableFromInline weak var core: DeliveryCore?

  @inlinable
  init(_ delivery: SerialDelivery<Item, Failure>) { core = delivery.core }

  @inlinable var isDisposed: Bool { core?.isDisposed ?? true }
  @inlinable
  func dispose() { if let core { SerialDelivery<Item, Failure>(core).terminate(.finished) } }
}
