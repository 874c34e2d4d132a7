// Part of Weir. SPDX-License-Identifier: Apache-2.0

// None of these functions is `@inline(__always)`, on purpose: a closure in such a function is inlined into
// the thunk that calls it, and in a thunk the optimiser of Swift 6.3 does not inline calls of C functions.
// That would be thirteen calls for each value, one for each atomic operation. A step that delivers may end up
// in a thunk in any case, depending on what else is inlined: so it only calls a function that is not inlined,
// which costs nothing, as the thunk becomes a jump.

extension SerialDelivery {
  /// Whether there is no reason to run anything more. True also while the terminal event waits for its turn,
  /// which may take as long as a delivery does: it disposes the upstreams before anything else.
  @inlinable var isEnding: Bool { upstreams.isDisposed }

  /// Returns the subscription for one more upstream; nil if there is no reason to run it.
  @inlinable
  func nextUpstream() -> Subscription? {
    if isEnding { return nil }
    let upstream = Subscription()
    upstreams.adopt(upstream)
    return upstream
  }

  /// Subscribes to one more upstream. Its failure ends the whole run, and so does its completion, unless
  /// `completed` handles that.
  @inlinable
  func listen<Input>(
    to signal: Signal<Input, Failure>, next: @escaping @Sendable (Input) -> Void,
    completed: (@Sendable () -> Void)? = nil
  ) {
    guard let upstream = nextUpstream() else { return }
    listen(to: signal, by: upstream, next: next, completed: completed)
  }

  /// The same with a subscription that the upstreams have adopted before; does nothing if it has ended since.
  @inlinable
  func listen<Input>(
    to signal: Signal<Input, Failure>, by upstream: Subscription, next: @escaping @Sendable (Input) -> Void,
    completed: (@Sendable () -> Void)? = nil
  ) {
    if upstream.isDisposed { return }
    let end = UpstreamEnd(of: upstream, in: self, completed: completed)
    signal.attach(Sink(next: next, terminate: { end.take($0) }, subscription: upstream))
  }

  /// Ends one of the upstreams, once. Its failure ends the whole run; `completed` handles its completion.
  @inlinable
  func end(_ upstream: Subscription, with completion: Completion<Failure>, completed: () -> Void) {
    guard upstream.end() else { return }
    switch completion {
    case .completed: completed()
    case .failed: terminate(completion)
    }
  }

  /// Ends the whole run after all that was sent before, if an upstream that has ended may still do that. This
  /// is asked in the turn: by now the clean-up of the upstream has run, and may have made another one take
  /// over, as other threads may until the turn comes. If it may not, its failure is reported, as one of
  /// `run`.
  @inlinable
  func end(
    with completion: Completion<Failure>, in run: Subscription, if mayEnd: @escaping () -> Bool
  ) {
    inTurn {
      if mayEnd() { finish(completion) } else { run.reportError(of: completion) }
    }
  }
}

/// What the closure for the terminal event of an upstream captures: a closure that captures a single object
/// needs no allocation of its own. If it is released before that event, the upstream has let go.
@usableFromInline
final class UpstreamEnd<Item, Failure: Error>: Sendable {
  @usableFromInline let upstream: Subscription
  @usableFromInline let delivery: SerialDelivery<Item, Failure>
  /// Handles the completion; by default, that ends the whole run.
  @usableFromInline let completed: (@Sendable () -> Void)?

  @inlinable
  init(
    of upstream: Subscription, in delivery: SerialDelivery<Item, Failure>,
    completed: (@Sendable () -> Void)?
  ) {
    self.upstream = upstream
    self.delivery = delivery
    self.completed = completed
  }

  // Not inlinable: see Lifeline.
  deinit { if !upstream.isDisposed { upstream.endWithOwner() } }

  @inlinable
  func take(_ completion: Completion<Failure>) {
    delivery.end(upstream, with: completion) {
      if let completed { completed() } else { delivery.terminate(.completed) }
    }
  }
}
