// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Where an operator sends its events: the receiving end of a chain, as the author of an operator sees it.
///
/// A sink trusts its caller: events come serially, nothing comes after a terminal event, and who sends events
/// of its own, a source or an operator at the end of its upstream, asks ``isEnded`` between them: a value may
/// have ended the run. Whoever cannot promise that uses ``Signal/create(_:)``, whose observer takes events
/// from anywhere and keeps the rules for them.
///
/// Who may still send something keeps the sink, or its ``terminate``: when nobody has that any more, the
/// source has let go of the run, which may end then. ``next`` alone does not keep it: under an operator that
/// runs one signal after the other, that is the closure of what follows.
///
/// `next` and `terminate` are separate closures on purpose: a value that travels as itself is several times
/// faster than one wrapped into an enum.
///
/// ReactiveObjC has none: there everybody sends to a `RACSubscriber`.
@frozen
public struct Sink<Value, Failure: Error>: Sendable {
  @usableFromInline let route: Route
  /// Takes the terminal event.
  public let terminate: @Sendable (Completion<Failure>) -> Void
  /// The run this sink belongs to.
  public let subscription: Subscription
  @usableFromInline let gate: Gate
  @usableFromInline let ending: Ending

  /// Where a value goes: to a closure, or to a step and its frame.
  @frozen @usableFromInline enum Route: Sendable {
    case closure(@Sendable (Value) -> Void)
    case step(Step<Value, Failure>, Frame<Failure>)
  }

  /// Whether `direct` looks at the subscription somewhere downstream. The last sink of a hot chain does not:
  /// a subject that calls the user's closure should call just that.
  ///
  /// `sequence` marks a sink that takes no events, but tells a signal which run it is to go on: see
  /// ``SequentialRun``.
  @frozen @usableFromInline enum Gate: Sendable { case ahead, missing, sequence }

  /// Whether something downstream may end the run before the source does. Known when the chain is put
  /// together.
  @frozen @usableFromInline enum Ending: Sendable { case bySource, early }

  @inlinable @inline(__always)
  init(
    direct: @escaping @Sendable (Value) -> Void, gate: Gate, ending: Ending,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void, subscription: Subscription
  ) {
    self.init(
      route: .closure(direct), gate: gate, ending: ending, terminate: terminate, subscription: subscription)
  }

  @inlinable @inline(__always)
  init(
    route: Route, gate: Gate, ending: Ending,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void, subscription: Subscription
  ) {
    self.route = route
    self.gate = gate
    self.ending = ending
    self.terminate = terminate
    self.subscription = subscription
  }

  /// A sink that feeds nothing else.
  ///
  /// - Parameters:
  ///   - next: what to do with a value.
  ///   - terminate: what to do with the terminal event.
  ///   - subscription: of its own; what it feeds in turn ends it.
  @inlinable @inline(__always)
  public init(
    next: @escaping @Sendable (Value) -> Void,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void,
    subscription: Subscription
  ) {
    self.init(direct: next, gate: .missing, ending: .early, terminate: terminate, subscription: subscription)
  }

  /// Takes a value, but does not ask whether the subscription has ended: only for sources that have just
  /// asked.
  @inlinable @inline(__always)
  func send(_ value: Value) {
    switch route {
    case .closure(let next): next(value)
    case .step(let step, let frame): step(value, frame)
    }
  }

  /// The same for many values: calls `body` with what takes them. ``send(_:)`` would retain that with each.
  @inlinable @inline(__always)
  func sending(_ body: (_ next: (Value) -> Void) -> Void) {
    switch route {
    case .closure(let next): body(next)
    case .step(let step, let frame): body { step($0, frame) }
    }
  }

  /// The same as a closure, for whoever keeps that.
  @inlinable
  var direct: @Sendable (Value) -> Void {
    @inline(__always) get {
      switch route {
      case .closure(let next): next
      case .step(let step, let frame): { value in step(value, frame) }
      }
    }
  }

  /// Takes a value; drops it if the subscription has ended, as it may have inside the operator's own closure.
  @inlinable @inline(__always)
  public var next: @Sendable (Value) -> Void {
    switch gate {
    case .ahead, .sequence: direct
    case .missing: { [direct, subscription] value in if !subscription.isDisposed { direct(value) } }
    }
  }

  /// The same for values that come by another subscription, which may go on for a moment when this one has
  /// ended: a clean-up that comes before it has it send, or another thread is in such a clean-up. They are
  /// dropped here, before the closures of users: what looks at this subscription may be behind those.
  ///
  /// Not `@inline(__always)`, as in SerialDelivery+Listen.swift.
  @inlinable
  var nextOfOther: @Sendable (Value) -> Void {
    let run = subscription
    switch route {
    case .closure(let next): return { value in if !run.isDisposed { next(value) } }
    case .step(let step, let frame): return { value in if !run.isDisposed { step(value, frame) } }
    }
  }

  /// Whether the source should stop: to be asked before each event.
  @inlinable @inline(__always)
  public var isEnded: Bool {
    switch subscription.reach {
    case .local: ending == .early && subscription.hasEndedLocally
    case .shared: subscription.isDisposed
    }
  }

  /// What a signal of one value does with its sink, and an operator with its last value.
  @inlinable @inline(__always)
  func sendOnly(_ value: Value) {
    if isEnded { return }
    send(value)
    if !isEnded { terminate(.finished) }
  }

  /// Fails with what a closure has thrown. If that closure has ended the run before, nobody receives the
  /// error: it is reported.
  @inlinable
  func fail(thrown error: Failure) {
    subscription.pass(.failed(error), to: terminate)
  }

  /// The sink of an operator with one upstream, which shares the subscription.
  ///
  /// - Parameters:
  ///   - next: what to do with a value of the upstream.
  ///   - terminate: what to do with its terminal event; often just ``terminate``.
  @inlinable @inline(__always)
  public func upstream<Input>(
    next: @escaping @Sendable (Input) -> Void, terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> Sink<Input, Failure> {
    Sink<Input, Failure>(
      direct: next, gate: .ahead, ending: upstreamEnding(), terminate: terminate, subscription: subscription)
  }

  /// Whether the run may end early upstream of here: an operator that can fail can end it.
  @inlinable @inline(__always)
  func upstreamEnding<Input>() -> Sink<Input, Failure>.Ending {
    switch ending {
    case .bySource where Failure.isImpossible: .bySource
    default: .early
    }
  }

  /// The sink of an operator that passes values on as they are, and so has no part in them: only in how the
  /// run ends.
  @inlinable @inline(__always)
  func upstream<UpstreamFailure>(
    terminate: @escaping @Sendable (Completion<UpstreamFailure>) -> Void
  ) -> Sink<Value, UpstreamFailure> {
    switch route {
    case .closure(let next):
      Sink<Value, UpstreamFailure>(
        direct: next, gate: gate == .ahead ? .ahead : .missing, ending: ending == .early ? .early : .bySource,
        terminate: terminate, subscription: subscription)
    case .step(let step, let following):
      // What fails upstream has to get to `terminate`.
      upstream(
        FailureFrame<Failure, UpstreamFailure>(before: following, fail: Frame.keeping(terminate)),
        ending: ending == .early ? .early : .bySource,
        step: { value, frame in
          let own: FailureFrame<Failure, UpstreamFailure> = frame.own()
          step(value, own.following)
        },
        terminate: terminate)
    }
  }
}
