// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SerialDelivery {
  /// Subscribes one more upstream, whose values and completion come as items, and whose failure ends everything.
  @inlinable @inline(__always) @discardableResult
  func listen<Input>(
    to signal: Signal<Input, Failure>, values: @escaping @Sendable (Input) -> Item,
    end: @autoclosure () -> Item
  ) -> Subscription {
    let ending = SubscriptionState(end())
    return listen(
      to: signal, next: { self.send(values($0)) }, completed: { self.send(ending.value) })
  }

  /// Subscribes one more upstream, whose end is the end of everything.
  @inlinable @inline(__always)
  func listen(to signal: Signal<Item, Failure>) {
    listen(to: signal, next: { self.send($0) }, completed: { self.terminate(.finished) })
  }

  /// Subscribes one more upstream. Its failure ends everything; the rest is for the closures to deliver.
  @inlinable @inline(__always) @discardableResult
  func listen<Input>(
    to signal: Signal<Input, Failure>, next: @escaping @Sendable (Input) -> Void,
    completed: @escaping @Sendable () -> Void
  ) -> Subscription {
    let upstream = Subscription()
    if isDisposed { return upstream }
    upstreams.adopt(upstream)
    signal.attach(
      Sink(
        next: next,
        terminate: { completion in
          guard upstream.end() else { return }
          switch completion {
          case .finished: completed()
          case .failed: self.terminate(completion)
          }
        },
        subscription: upstream))
    return upstream
  }
}
