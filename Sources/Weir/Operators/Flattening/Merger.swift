// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs any number of upstreams beside each other into one sink; completes when the last of them has.
@usableFromInline
final class Merger<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: `active` is atomic, the rest constant.
  @exclusivity(unchecked) @usableFromInline var active: UInt64 = 0
  @usableFromInline let delivery: SerialDelivery<Value, Failure>

  @inlinable
  init(to sink: Sink<Value, Failure>) { delivery = SerialDelivery(to: sink) }

  /// The subscription of one more upstream.
  @inlinable
  func adopt() -> Subscription {
    AtomicWord(property: 0, of: self).add(1)
    let upstream = Subscription()
    delivery.upstreams.adopt(upstream)
    return upstream
  }

  @inlinable
  func run(_ signal: Signal<Value, Failure>) {
    if signal.ownTiming == .immediate {
      signal.connect(delivery.sinkOfImmediates())
    } else {
      runBeside(signal)
    }
  }

  @inlinable
  func runBeside(_ signal: Signal<Value, Failure>) {
    let upstream = adopt()
    signal.connect(
      Sink(
        next: { [delivery] in delivery.send($0) }, terminate: { self.end(upstream, with: $0) },
        subscription: upstream))
  }

  @usableFromInline
  func end(_ upstream: Subscription, with completion: Completion<Failure>) {
    switch completion {
    case .finished: finish(upstream)
    case .failed: if upstream.end() { delivery.terminate(completion) }
    }
  }

  /// Counts an upstream as completed, once.
  @usableFromInline
  func finish(_ upstream: Subscription) {
    guard upstream.end() else { return }
    if AtomicWord(property: 0, of: self).subtract(1) == 1 { delivery.terminate(.finished) }
  }
}

extension SerialDelivery {
  /// The sink of signals that run wholly inside one call, from another upstream of this delivery. They need no subscription
  /// of their own, and no count: that upstream is still there when they are done. The closures are the delivery itself.
  @inlinable @inline(__always)
  func sinkOfImmediates() -> Sink<Item, Failure> {
    Sink(
      next: { self.send($0) },
      terminate: { completion in if case .failed = completion { self.terminate(completion) } },
      subscription: upstreams)
  }
}
