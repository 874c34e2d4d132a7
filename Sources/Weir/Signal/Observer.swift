// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Something that events can be sent to, from any thread.
///
/// ReactiveObjC: the `RACSubscriber` protocol.
public protocol ObserverProtocol<Value, Failure>: AnyObject, Sendable {
  /// What it takes.
  associatedtype Value
  /// How what it listens to may fail.
  associatedtype Failure: Error
  /// Takes a value. Does nothing once a terminal event was taken.
  func send(_ value: Value)
  /// Takes the end. Only the first one counts.
  func terminate(_ completion: Completion<Failure>)
  /// Has `subscription` end when the observer has taken a terminal event; at once, if it has already.
  ///
  /// ReactiveObjC: `-didSubscribeWithDisposable:`.
  func adopt(_ subscription: Subscription)
}

extension ObserverProtocol {
  /// Takes the end without an error.
  @inlinable
  public func complete() { terminate(.finished) }
  /// Takes the end with an error.
  @inlinable
  public func fail(_ error: Failure) { terminate(.failed(error)) }
  /// Takes an event given as a value.
  @inlinable
  public func send(_ event: Event<Value, Failure>) {
    switch event {
    case .next(let value): send(value)
    case .failed(let error): terminate(.failed(error))
    case .completed: terminate(.finished)
    }
  }
}

/// Takes events from any number of threads and passes them on serially, in the order in which they came.
///
/// ``Signal/create(_:)`` hands one to its closure; one made with closures can be subscribed to any number of signals.
///
/// Concurrent and nested sends are queued behind the event in flight, by the thread that is delivering it: `send` never
/// waits, and may return before its event was delivered. The queue has no bound but memory; past 1,024 waiting events
/// each sender yields the processor once per event. The first terminal event ends all subscriptions of the observer, is
/// then delivered, and nothing is delivered after it. An observer that is released without one ends its subscriptions
/// too. An uncontended send costs two read-modify-writes beyond the closure, and allocates nothing.
///
/// ReactiveObjC: `RACSubscriber`.
public final class Observer<Value, Failure: Error>: ObserverProtocol {
  private let core: ObserverCore<Value, Failure>

  /// Hands events on to a sink; the sink's subscription ends it.
  init(_ sink: Sink<Value, Failure>) {
    core = ObserverCore(sink)
    sink.subscription.add(core)
  }

  /// - Parameters:
  ///   - next: called with each value.
  ///   - failed: called with the error the first of its signals fails with; without it, an error goes to
  ///     ``UnhandledErrors``.
  ///   - completed: called when the first of its signals completes.
  public convenience init(
    next: @escaping @Sendable (Value) -> Void = { _ in },
    failed: (@Sendable (Failure) -> Void)? = nil,
    completed: @escaping @Sendable () -> Void = {},
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let subscription = Subscription()
    self.init(
      Sink(
        next: next,
        terminate: { completion in
          guard subscription.end() else { return }
          switch completion {
          case .finished: completed()
          case .failed(let error):
            if let failed { failed(error) } else { UnhandledErrors.report(error, fileID: fileID, line: line) }
          }
        },
        subscription: subscription))
  }

  deinit { core.abandon() }

  /// True once a terminal event was taken or what it feeds was disposed.
  public var isEnded: Bool { core.isDisposed }

  // The observer stays until the call has returned: releasing it earlier would end it.
  public func send(_ value: Value) { withExtendedLifetime(self) { core.send(value) } }

  public func terminate(_ completion: Completion<Failure>) {
    withExtendedLifetime(self) { core.terminate(completion) }
  }

  public func adopt(_ subscription: Subscription) { core.upstreams.adopt(subscription) }
}

/// The part of an observer that a subscription may hold without keeping the observer itself.
final class ObserverCore<Value, Failure: Error>: Disposable, @unchecked Sendable {  // see the turn and `handler`
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
  let upstreams = Subscription()
  private static var wordCount: Int { 1 + DeliveryTurn<Item>.wordCount }

  init(_ sink: Sink<Value, Failure>) {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = DeliveryTurn(words: words + 1)
    handler = .allocate(capacity: 1)
    handler.initialize(to: Handler(sink))
  }

  deinit {
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

  /// Nobody can send any more: ends what is still going on.
  func abandon() {
    guard ended.claim() else { return }
    upstreams.dispose()
    handler.pointee.subscription.dispose()
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
