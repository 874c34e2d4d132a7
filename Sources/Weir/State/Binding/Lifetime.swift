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
