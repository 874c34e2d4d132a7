// Part of Weir. SPDX-License-Identifier: Apache-2.0
/// Something that events can be sent to, from any thread; to an ``UnserializedSubject`` one after the other.
///
/// ReactiveObjC: the `RACSubscriber` protocol.
public protocol ObserverProtocol<Value, Failure>: AnyObject, Sendable {
  /// What it takes.
  associatedtype Value
  /// How what it listens to may fail.
  associatedtype Failure: Error
  /// Takes a value. Does nothing once a terminal event was taken.
  ///
  /// ReactiveObjC: `-sendNext:`.
  func send(_ value: Value)
  /// Takes the end. Only the first one counts; a failure that comes later goes to ``UnhandledErrors``.
  ///
  /// ReactiveObjC: `-sendCompleted` and `-sendError:`.
  func terminate(_ completion: Completion<Failure>)
  /// Has `subscription` end when the observer has taken a terminal event; at once, if it has already.
  ///
  /// ReactiveObjC: `-didSubscribeWithDisposable:`.
  func adopt(_ subscription: Subscription)
}

extension ObserverProtocol {
  /// Takes the end without an error. ReactiveObjC: `-sendCompleted`.
  @inlinable
  public func complete() { terminate(.finished) }
  /// Takes the end with an error. ReactiveObjC: `-sendError:`.
  @inlinable
  public func fail(_ error: Failure) { terminate(.failed(error)) }
  /// Takes an event given as a value. ReactiveObjC has none.
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
/// ``Signal/create(_:)`` hands one to its closure; one made with closures can be subscribed to any number of
/// signals.
///
/// Concurrent and nested sends are queued behind the event in flight, by the thread that is delivering it:
/// `send` never waits, and may return before its event was delivered. The queue has no bound but memory; a
/// sender that met another thread pauses for a microsecond or two, or yields when more than 1,024 events
/// wait. The first terminal event ends all subscriptions of the observer, is then delivered, and nothing is
/// delivered after it. An observer that is released without one ends its subscriptions too; deep inside of
/// other releases, when the innermost of them is over. An uncontended send costs one turn (see ``Subject``)
/// beyond the closure, and allocates nothing.
///
/// ReactiveObjC: `RACSubscriber`.
public final class Observer<Value, Failure: Error>: ObserverProtocol {
  @usableFromInline let core: SerialDelivery<Value, Failure>

  /// Hands events on to a sink; the sink's subscription ends it.
  init(_ sink: Sink<Value, Failure>) {
    core = SerialDelivery(to: sink)
    core.core.lateFailure = .isDropped
  }

  /// - Parameters:
  ///   - next: called with each value.
  ///   - failed: called with the error the first of its signals fails with; without it, an error goes to
  ///     ``UnhandledErrors``.
  ///   - completed: called when the first of its signals completes.
  ///   - fileID: the place that a report of an unhandled error names, with `line`.
  ///   - line: see `fileID`.
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

  /// True once a terminal event was taken or what it feeds was disposed: then a source should stop. What it
  /// sends nevertheless is not delivered, so there is no need to ask before each event.
  public var isEnded: Bool {
    // An end that waits for its turn has disposed the upstreams already.
    core.isDisposed || core.upstreams.isDisposed
  }

  // The observer stays until the call has returned: releasing it earlier would end it.
  /// Takes a value: delivers it, or leaves it with the delivery under way. Does nothing once ended.
  @inlinable
  public func send(_ value: Value) {
    defer { _fixLifetime(self) }
    core.send(value)
  }

  /// Takes the end: ends the subscriptions, and delivers it. Only the first one counts; a failure that comes
  /// after it goes to ``UnhandledErrors``, and so does one that waits as what it feeds is disposed. If that
  /// was disposed before there was one, a failure is dropped, as a completion is.
  public func terminate(_ completion: Completion<Failure>) {
    withExtendedLifetime(self) { core.terminate(completion) }
  }

  /// Has `subscription` end when a terminal event was taken; at once, if it was already.
  public func adopt(_ subscription: Subscription) { core.upstreams.adopt(subscription) }
}
