// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Brings events from any number of threads into the serial order that a sink needs: what observers and all operators
/// with several upstreams are made of.
///
/// Its upstreams keep it; the sink's subscription disposes it but does not keep it. So when the last upstream lets go of
/// it without a terminal event, it goes, and ends the sink's subscription.
final class SerialDelivery<Value, Failure: Error>: Disposable, @unchecked Sendable {
  // Unchecked: see the turn and `handler`.
  private enum Item {
    case next(Value)
    case terminal(Completion<Failure>)
    /// Asks for the handler to be released; it belongs to the holder of the turn.
    case release
  }

  private let words: UnsafeMutablePointer<UInt64>
  private let turn: DeliveryTurn<Item>
  /// Touched only by the holder of the turn; released once `ended` is claimed.
  private let handler: UnsafeMutablePointer<Handler<Value, Failure>>
  @exclusivity(unchecked) private var hasHandler = true
  /// Ends with this object; the subscriptions of what is listened to belong in here.
  let upstreams = Subscription()

  private static var wordCount: Int { 2 + DeliveryTurn<Item>.wordCount }

  init(to sink: Sink<Value, Failure>) {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = DeliveryTurn(words: words + 2)
    handler = .allocate(capacity: 1)
    handler.initialize(to: Handler(sink))
    sink.subscription.add(DisposalOfDelivery(self))
  }

  deinit {
    if ended.claim() {
      upstreams.dispose()
      handler.pointee.subscription.dispose()
    }
    turn.destroy()
    releaseHandler()
    handler.deallocate()
    weir_block_free(words, 8 * Self.wordCount)
  }

  private var ended: OnceFlag { OnceFlag(AtomicWord(words)) }

  var isDisposed: Bool { ended.isClaimed }

  func send(_ value: Value) {
    if ended.isClaimed { return }
    if turn.enter(as: 1) {
      if !ended.isClaimed { handler.pointee.next(value) }
      turn.leave()
    } else {
      turn.post(.next(value))
    }
    deliverWaiting()
  }

  func terminate(_ completion: Completion<Failure>) {
    if turn.enter(as: 1) {
      finish(completion)
      turn.leave()
    } else {
      turn.post(.terminal(completion))
    }
    deliverWaiting()
  }

  /// Ends it from downstream: no event is delivered any more, and everything is released.
  func dispose() {
    guard ended.claim() else { return }
    upstreams.dispose()
    release()
  }

  private func release() {
    if turn.enter(as: 1) {
      releaseHandler()
      turn.leave()
    } else {
      turn.post(.release)
    }
    deliverWaiting()
  }

  private func deliverWaiting() {
    turn.deliverWaiting(as: 1) { item in
      switch item {
      case .next(let value): if !ended.isClaimed { handler.pointee.next(value) }
      case .terminal(let completion): finish(completion)
      case .release: releaseHandler()
      }
    }
  }

  private func finish(_ completion: Completion<Failure>) {
    guard ended.claim() else {
      if case .failed(let error) = completion { UnhandledErrors.report(error) }
      return
    }
    upstreams.dispose()
    handler.pointee.terminate(completion)
    releaseHandler()
  }

  private func releaseHandler() {
    guard hasHandler else { return }
    hasHandler = false
    handler.deinitialize(count: 1)
  }
}

extension SerialDelivery {
  /// Subscribes one more upstream, whose values and completion come as items, and whose failure ends everything.
  @discardableResult
  func listen<Input>(
    to signal: Signal<Input, Failure>, values: @escaping @Sendable (Input) -> Value,
    end: @autoclosure () -> Value
  ) -> Subscription {
    let ending = SubscriptionState(end())
    return listen(to: signal, values: values, completed: { self.send(ending.value) })
  }

  /// Subscribes one more upstream, whose end is the end of everything.
  func listen(to signal: Signal<Value, Failure>) {
    listen(to: signal, values: { $0 }, completed: { self.terminate(.finished) })
  }

  @discardableResult
  private func listen<Input>(
    to signal: Signal<Input, Failure>, values: @escaping @Sendable (Input) -> Value,
    completed: @escaping @Sendable () -> Void
  ) -> Subscription {
    let upstream = Subscription()
    if isDisposed { return upstream }
    upstreams.adopt(upstream)
    signal.connect(
      Sink(
        next: { self.send(values($0)) },
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

/// Ends a delivery with the subscription it feeds.
private final class DisposalOfDelivery: Disposable, @unchecked Sendable {
  // Unchecked: written once; weak loads are atomic.
  private weak var delivery: (any Disposable)?

  init(_ delivery: any Disposable) { self.delivery = delivery }

  var isDisposed: Bool { delivery?.isDisposed ?? true }
  func dispose() { delivery?.dispose() }
}
