// Part of Weir. SPDX-License-Identifier: Apache-2.0

// None of these is `@inline(__always)`, on purpose: a closure in such a function is inlined into the thunk
// that calls it, and in a thunk Swift 6.3 has the optimiser leave calls of C as they are. That would be
// thirteen calls for each value, one for each atomic operation.

extension SerialDelivery {
  /// Whether there is no reason to run anything more. True also while the end waits for its turn, which may
  /// take as long as a delivery does: an end disposes the upstreams before anything else.
  @inlinable var isEnding: Bool { upstreams.isDisposed }

  /// The subscription for one more upstream. Nil if there is no reason to run it.
  @inlinable
  func nextUpstream() -> Subscription? {
    if isEnding { return nil }
    let upstream = Subscription()
    upstreams.adopt(upstream)
    return upstream
  }

  /// Subscribes one more upstream, whose end is the end of everything.
  @inlinable
  func listen<Input>(to signal: Signal<Input, Failure>, next: @escaping @Sendable (Input) -> Void) {
    guard let upstream = nextUpstream() else { return }
    signal.attach(
      Sink(
        next: next,
        terminate: { completion in if upstream.end() { self.terminate(completion) } },
        subscription: upstream))
  }

  /// Subscribes one more upstream. Its failure ends everything; the rest is for the closures to deliver.
  @inlinable
  func listen<Input>(
    to signal: Signal<Input, Failure>, next: @escaping @Sendable (Input) -> Void,
    completed: @escaping @Sendable () -> Void
  ) {
    guard let upstream = nextUpstream() else { return }
    listen(to: signal, by: upstream, next: next, completed: completed)
  }

  /// The same by a subscription that the upstreams have adopted before; nothing, if it has ended since.
  @inlinable
  func listen<Input>(
    to signal: Signal<Input, Failure>, by upstream: Subscription, next: @escaping @Sendable (Input) -> Void,
    completed: @escaping @Sendable () -> Void
  ) {
    if upstream.isDisposed { return }
    signal.attach(
      Sink(
        next: next, terminate: { self.end(upstream, with: $0, completed: completed) },
        subscription: upstream))
  }

  /// Ends one of the upstreams, once. Its failure ends everything; what follows from its completion is for
  /// `completed` to do.
  @inlinable
  func end(_ upstream: Subscription, with completion: Completion<Failure>, completed: () -> Void) {
    guard upstream.end() else { return }
    switch completion {
    case .finished: completed()
    case .failed: terminate(completion)
    }
  }

  /// Ends the whole behind all that was sent before, if an upstream that has ended may still do that, which
  /// is asked in the turn: its clean-up has run by now, and may have had another one take over, as other
  /// threads may until the turn comes. If it may not, its failure is reported, as one of `run`.
  @inlinable
  func end(
    with completion: Completion<Failure>, in run: Subscription, if mayEnd: @escaping () -> Bool
  ) {
    inTurn {
      if mayEnd() { finish(completion) } else { run.reportError(of: completion) }
    }
  }
}
