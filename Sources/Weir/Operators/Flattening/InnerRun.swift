// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The run of one of the signals that are brought together. It belongs to the closures that it is fed
/// through: so when it goes, the signal has ended or has let go, and nothing is kept for it any longer.
@usableFromInline
final class InnerRun: Sendable {
  @usableFromInline let core: DeliveryCore
  @usableFromInline let upstream = Subscription()
  @usableFromInline let complete: @Sendable () -> Void

  /// - Parameters:
  ///   - core: delivers what the signal sends, and its failure.
  ///   - complete: called when the signal has completed.
  @inlinable @inline(__always)
  init(in core: DeliveryCore, _ complete: @escaping @Sendable () -> Void) {
    self.core = core
    self.complete = complete
  }

  // Not inlinable: see Lifeline.
  deinit { if !upstream.isDisposed { upstream.end() } }

  /// Subscribes the signal, whose values and failure the delivery is there for.
  @inlinable
  func listen<Value, Failure>(to signal: Signal<Value, Failure>) {
    listen(
      to: signal,
      by: Sink(
        next: { SerialDelivery<Value, Failure>(self.core).send($0) },
        terminate: { self.end(with: $0, in: SerialDelivery<Value, Failure>(self.core)) },
        subscription: upstream))
  }

  /// The same by a sink of one's own, which keeps this object.
  @inlinable @inline(__always)
  func listen<Value, Failure>(to signal: Signal<Value, Failure>, by sink: consuming Sink<Value, Failure>) {
    core.upstreams.adopt(upstream)
    signal.attach(sink)
  }

  @inlinable
  func end<Item, Failure>(
    with completion: Completion<Failure>, in delivery: @autoclosure () -> SerialDelivery<Item, Failure>
  ) {
    guard upstream.end() else { return }
    switch completion {
    case .finished: complete()
    case .failed: delivery().terminate(completion)
    }
  }
}
