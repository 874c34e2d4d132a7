// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Ends a subscription when the upstream that should feed it lets go without a terminal event. Owned by the
/// closure for the terminal event of the upstream, not by that for values.
@usableFromInline
final class Lifeline: @unchecked Sendable {
  // Unchecked: cut by the one terminal event of the upstream, released after it.
  @exclusivity(unchecked) @usableFromInline var subscription: Subscription?

  @inlinable
  init(of subscription: Subscription) { self.subscription = subscription }

  // Not inlinable: where the optimiser of Swift 6.3 inlines a deinit with a branch, it frees an object that
  // it has put on the stack as if it were on the heap. So no deinit that may be inlined has a branch, unless
  // its object always escapes.
  deinit { subscription?.endWithOwner() }

  /// Returns the subscription, if it was not cut before.
  @inlinable @discardableResult
  func cut() -> Subscription? { subscription.take() }
}

extension Subscription {
  /// For the deinit of the object that should feed this run: ends the run, unless it has ended. A clean-up
  /// may hold the last reference to the source of another run, and so on: see `ReleaseQueue`. Not inlinable:
  /// see ``Lifeline``. A caller whose run has often ended checks that itself: the call would retain the run.
  @usableFromInline
  func endWithOwner() { if !isDisposed { ReleaseQueue().end(self) { $0.end() } } }
}
