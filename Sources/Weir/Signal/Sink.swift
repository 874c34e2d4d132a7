// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The receiving end of a chain, to which the author of an operator sends events.
///
/// A sink trusts its caller: events are sent serially, none is sent after a terminal event, and code that
/// sends events of its own (a source, or an operator when its upstream ends) checks ``isEnded`` between them:
/// a value may have ended the run. Code that cannot guarantee this uses ``Signal/create(_:)``, whose observer
/// accepts events from any thread and enforces the rules.
///
/// Code that may still send something retains the sink, or its ``terminate``: when nothing retains that any
/// more, the source has let go of the run without a terminal event, and the run may end. Retaining ``next``
/// alone is not enough: in an operator that runs one signal after the other, it is the closure of what is
/// downstream.
///
/// Nothing checks these rules: values of two threads that overlap are a data race. So it is `@unsafe`: with
/// `-strict-memory-safety` the compiler asks for `unsafe` where it is used.
///
/// `next` and `terminate` are separate closures on purpose: passing a value as itself is several times faster
/// than wrapping it in an enum.
///
/// ReactiveObjC has none: there everybody sends to a `RACSubscriber`.
@unsafe @frozen
public struct Sink<Value, Failure: Error>: Sendable {
  @usableFromInline let route: Route
  /// Sends the terminal event.
  public let terminate: @Sendable (Completion<Failure>) -> Void
  /// The run this sink belongs to.
  public let subscription: Subscription
  @usableFromInline let gate: SinkGate
  @usableFromInline let ending: SinkEnding

  /// What receives a value: a closure, or a step and its frame.
  @frozen @usableFromInline enum Route: Sendable {
    case closure(@Sendable (Value) -> Void)
    case step(Step<Value, Failure>, Frame<Failure>)
  }

  @inlinable @inline(__always)
  init(
    next: @escaping @Sendable (Value) -> Void, gate: SinkGate, ending: SinkEnding,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void, subscription: Subscription
  ) {
    self.init(
      route: .closure(next), gate: gate, ending: ending, terminate: terminate, subscription: subscription)
  }

  @inlinable @inline(__always)
  init(
    route: Route, gate: SinkGate, ending: SinkEnding,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void, subscription: Subscription
  ) {
    self.route = route
    self.gate = gate
    self.ending = ending
    self.terminate = terminate
    self.subscription = subscription
  }

  /// Creates a sink at the end of a chain: it feeds no other sink.
  ///
  /// - Parameters:
  ///   - next: what to do with a value.
  ///   - terminate: what to do with the terminal event.
  ///   - subscription: the sink's own; what receives the events ends it.
  @inlinable @inline(__always)
  public init(
    next: @escaping @Sendable (Value) -> Void,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void,
    subscription: Subscription
  ) {
    self.init(next: next, gate: .missing, ending: .early, terminate: terminate, subscription: subscription)
  }

  /// Sends a value without checking whether the subscription has ended: only for sources that have just
  /// checked.
  @inlinable @inline(__always)
  func send(_ value: Value) {
    switch route {
    case .closure(let next): next(value)
    case .step(let step, let frame): step(value, frame)
    }
  }

  /// The same for many values: calls `body` with a function that sends one. ``send(_:)`` would retain the
  /// closure, or the step and its frame, for each value.
  @inlinable @inline(__always)
  func sending(_ body: (_ next: (Value) -> Void) -> Void) {
    switch route {
    case .closure(let next): body(next)
    case .step(let step, let frame): body { step($0, frame) }
    }
  }

  /// The same as a closure, for code that stores it.
  @inlinable
  var ungatedNext: @Sendable (Value) -> Void {
    @inline(__always) get {
      switch route {
      case .closure(let next): return next
      case .step(let step, let frame):
        let hint = FoldingHint.constant
        return { value in
          _ = hint
          step(value, frame)
        }
      }
    }
  }

  /// Sends a value; drops it if the subscription has ended, which the operator's own closure may have done.
  /// It may make a closure each time it is read: so read it once per run, and not once per value.
  @inlinable @inline(__always)
  public var next: @Sendable (Value) -> Void {
    switch gate {
    case .ahead, .sequence: ungatedNext
    case .missing: { [ungatedNext, subscription] value in if !subscription.isDisposed { ungatedNext(value) } }
    }
  }

  /// The same for values of another subscription, which may stay active for a moment after this one has
  /// ended: a clean-up that runs before its own makes it send, or another thread is in such a clean-up. The
  /// values are dropped here, before users' closures see them: the check of this subscription may be
  /// downstream of those.
  ///
  /// Not `@inline(__always)`, for the reason given in SerialDelivery+Listen.swift.
  @inlinable
  var gatedNext: @Sendable (Value) -> Void {
    let run = subscription
    switch route {
    case .closure(let next): return { value in if !run.isDisposed { next(value) } }
    case .step(let step, let frame):
      let hint = FoldingHint.constant
      return { value in
        _ = hint
        if !run.isDisposed { step(value, frame) }
      }
    }
  }

  /// Whether the source should stop: to be checked before each event.
  @inlinable @inline(__always)
  public var isEnded: Bool {
    switch subscription.reach {
    case .local: ending == .early && subscription.hasEndedLocally
    case .shared: subscription.isDisposed
    }
  }

  /// Sends `value` and completes: for a signal of one value, and for the last value of an operator.
  @inlinable @inline(__always)
  func sendOnly(_ value: Value) {
    if isEnded { return }
    send(value)
    if !isEnded { terminate(.completed) }
  }

  /// Fails with an error that a closure has thrown. If that closure has already ended the run, nobody
  /// receives the error: it is reported.
  @inlinable
  func fail(thrown error: Failure) {
    subscription.pass(.failed(error), to: terminate)
  }
}

/// Whether the values that a sink sends are checked against its subscription somewhere downstream. In the
/// last sink of a hot chain they are not: a subject that calls the user's closure should call nothing else.
///
/// `sequence` marks a sink that receives no events, but tells a signal which run it is to continue: see
/// ``SequentialRun``.
@frozen @usableFromInline
enum SinkGate: Sendable { case ahead, missing, sequence }

/// Whether something downstream may end the run before the source does. Known when the chain is put together.
@frozen @usableFromInline
enum SinkEnding: Sendable { case bySource, early }
