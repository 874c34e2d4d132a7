// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Sink {
  /// The sink of an upstream that may end before this run does. It has a subscription of its own, which has
  /// ended when `terminated` is called. That is not called if this run has ended, as it may have by a
  /// clean-up of the other. If the upstream lets go without a terminal event, this run ends too.
  @inlinable
  func stage<UpstreamFailure>(
    terminated: @escaping @Sendable (Completion<UpstreamFailure>) -> Void
  ) -> Sink<Value, UpstreamFailure> {
    let upstream = Subscription()
    let lifeline = Lifeline(of: subscription)
    subscription.adopt(upstream)
    return Sink<Value, UpstreamFailure>(
      next: nextOfOther,
      terminate: { completion in
        guard upstream.end(), let run = lifeline.cut() else { return }
        run.pass(completion, to: terminated)
      },
      subscription: upstream)
  }
}

/// Ends a subscription when whoever should go on feeding it lets go without a word. Owned by the closure that
/// takes the terminal event of an upstream; not by that for values.
@usableFromInline
final class Lifeline: @unchecked Sendable {
  // Unchecked: cut by the one terminal event of the upstream, released after it.
  @exclusivity(unchecked) @usableFromInline var subscription: Subscription?

  @inlinable
  init(of subscription: Subscription) { self.subscription = subscription }

  // Not inlinable: an object that the optimiser of Swift 6.3 has put on the stack, it frees as one of the
  // heap, where it inlines a deinit that branches. So no deinit that may be inlined has a branch, unless its
  // object always escapes.
  deinit { subscription?.endWithOwner() }

  /// Answers the subscription, if it was not cut before.
  @inlinable @discardableResult
  func cut() -> Subscription? { subscription.take() }
}

extension Subscription {
  /// For the deinit of who should go on feeding this run: ends it, unless it has ended. A clean-up may be all
  /// that keeps the source of another run, and so on: see `ReleaseQueue`. Not inlinable: see ``Lifeline``.
  @usableFromInline
  func endWithOwner() { if !isDisposed { ReleaseQueue().end(self) { $0.dispose() } } }
}
