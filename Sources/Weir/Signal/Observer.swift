// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An object that events can be sent to, from any thread; to an ``UnserializedSubject`` one at a time.
///
/// ReactiveObjC: the `RACSubscriber` protocol.
public protocol ObserverProtocol<Value, Failure>: AnyObject, Sendable {
  /// The type of the values that it receives.
  associatedtype Value
  /// The type of the error that its signals may fail with.
  associatedtype Failure: Error
  /// Sends it a value. Does nothing after a terminal event.
  ///
  /// ReactiveObjC: `-sendNext:`.
  func send(_ value: Value)
  /// Sends it a terminal event. Only the first one counts; a later failure goes to ``UnhandledErrors``.
  ///
  /// ReactiveObjC: `-sendCompleted` and `-sendError:`.
  func terminate(_ completion: Completion<Failure>)
  /// Ends `subscription` when the observer has received a terminal event; at once, if it has one already. The
  /// observers and subjects of Weir also end it when they are released.
  ///
  /// ReactiveObjC: `-didSubscribeWithDisposable:`.
  func adopt(_ subscription: Subscription)
}

extension ObserverProtocol {
  /// Sends a completion. ReactiveObjC: `-sendCompleted`.
  @inlinable
  public func complete() { terminate(.completed) }
  /// Sends a failure. ReactiveObjC: `-sendError:`.
  @inlinable
  public func fail(_ error: Failure) { terminate(.failed(error)) }
  /// Sends `()`, for a signal whose values carry no information. ReactiveObjC: `-sendNext:` with a `RACUnit`.
  @inlinable
  public func send() where Value == Void { send(()) }
  /// Sends an event given as a value. ReactiveObjC has none.
  @inlinable
  public func send(_ event: Event<Value, Failure>) {
    switch event {
    case .next(let value): send(value)
    case .failed(let error): terminate(.failed(error))
    case .completed: terminate(.completed)
    }
  }
}

/// Accepts events from any number of threads and forwards them serially, in the order of their arrival.
///
/// ``Signal/create(_:)`` passes one to its closure; an observer made of closures can be subscribed to any
/// number of signals.
///
/// Events of concurrent and nested sends are queued behind the event in flight, and delivered by the thread
/// that is delivering that: `send` never waits, and may return before its event is delivered. The queue is
/// bounded only by memory; a sender that met another thread pauses for some microseconds, or yields when
/// more than 1,024 events are waiting. The first terminal event ends all subscriptions of the observer, is
/// then delivered, and nothing is delivered after it. An observer that is released without one ends its
/// subscriptions too; deep inside other releases, when the innermost of them is over. An uncontended send
/// costs one turn (see ``Subject``) besides the closure, and allocates nothing.
///
/// ReactiveObjC: `RACSubscriber`.
public final class Observer<Value, Failure: Error>: ObserverProtocol {
  @usableFromInline let delivery: SerialDelivery<Value, Failure>
  /// The run that it feeds. While that is being disposed, the delivery may not have ended yet.
  @usableFromInline let run: Subscription

  /// Forwards events to a sink, whose subscription ends the observer.
  @inlinable
  init(_ sink: Sink<Value, Failure>) {
    run = sink.subscription
    delivery = SerialDelivery(to: sink)
    delivery.core.lateFailure = .isDropped
  }

  /// Creates an observer that calls closures.
  ///
  /// - Parameters:
  ///   - next: called with each value.
  ///   - failed: called with the error that the first of its signals fails with; without it, an error goes to
  ///     ``UnhandledErrors``.
  ///   - completed: called when the first of its signals completes.
  ///   - fileID: the place that a report of an unhandled error names, with `line`.
  ///   - line: see `fileID`.
  @inlinable
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
        terminate: subscriberEnding(
          subscription, failed: failed, completed: completed, fileID: fileID, line: line),
        subscription: subscription))
  }

  /// True once there was a terminal event, or the run that it feeds was disposed: then a source should stop.
  /// Events sent after that are not delivered, so there is no need to check before each event.
  @inlinable public var isEnded: Bool {
    hasTerminalEvent || run.isDisposed
  }

  /// Whether there was a terminal event, which may still wait for its turn, or the delivery has ended.
  @inlinable var hasTerminalEvent: Bool { delivery.isEnding }

  /// Sends a value: delivers it, or leaves it to the delivery under way. Does nothing once ended.
  @inlinable
  public func send(_ value: Value) {
    // The observer is retained until the call has returned: releasing it earlier would end it.
    defer { _fixLifetime(self) }
    delivery.send(value)
  }

  /// Sends a terminal event: ends the subscriptions, and delivers it. Only the first one counts; a later
  /// failure goes to ``UnhandledErrors``, and so does one that waits for its turn while the run that it feeds
  /// is disposed. If that was disposed before there was one, a failure is dropped, like a completion.
  @inlinable
  public func terminate(_ completion: Completion<Failure>) {
    if run.isDisposed, !hasTerminalEvent { return }
    withExtendedLifetime(self) { delivery.terminate(completion) }
  }

  /// Ends `subscription` when there is a terminal event, when the run that the observer feeds is disposed, or
  /// when the observer is released; at once, if it has ended already.
  public func adopt(_ subscription: Subscription) { delivery.upstreams.adopt(subscription) }
}
