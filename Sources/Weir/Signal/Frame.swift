// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Steps
//
// How the operators of a hot chain become one function. A closure that calls the next one has it among what it keeps, and the compiler does not
// know which one that is: two calls through pointers for each operator and value. So what an operator does with a value is a function of the value
// and of a *frame*, an object with what the chain needs of one run; such a function is a *step*. It keeps closures of users and the next step, and
// nothing of the run. Where the closures keep nothing either, all that a step keeps is known when the program is compiled, and the optimiser makes
// one function of it and of all steps behind it. Where they do keep something, a step calls them and the next step, as closures would.
//
// Who owns what: a source owns the first step and its frame; a frame owns the next one, and the last one owns what the chain feeds.

/// What a chain does with a value, in the frame of a run.
@usableFromInline typealias Step<Value, Failure: Error> = @Sendable (Value, Frame<Failure>) -> Void

/// What the steps of a chain need of one run. A step with a state of its own has a ``StateFrame`` or a ``FoldFrame``, and the last one an
/// ``EndFrame``.
@usableFromInline
class Frame<Failure: Error>: @unchecked Sendable {
  // Unchecked: constant; what subclasses add is used within serial delivery only.
  @usableFromInline final let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init(fail: @escaping @Sendable (Completion<Failure>) -> Void) { terminate = fail }

  /// Ends the run.
  @inlinable @inline(__always)
  final func fail(_ error: Failure) { terminate(.failed(error)) }
}

/// The frame behind which there are no more steps.
@usableFromInline
final class EndFrame<Value, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  @usableFromInline let next: @Sendable (Value) -> Void
  @usableFromInline let subscription: Subscription

  @inlinable @inline(__always)
  init(
    next: @escaping @Sendable (Value) -> Void, subscription: Subscription,
    fail: @escaping @Sendable (Completion<Failure>) -> Void
  ) {
    self.next = next
    self.subscription = subscription
    super.init(fail: fail)
  }

  @inlinable @inline(__always)
  static func of(_ frame: Frame<Failure>) -> EndFrame { unsafeDowncast(frame, to: EndFrame.self) }
}

/// The frame of a step that keeps something from value to value.
@usableFromInline
final class StateFrame<State, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  @exclusivity(unchecked) @usableFromInline var state: State
  /// That of the next step.
  @usableFromInline let following: Frame<Failure>

  @inlinable @inline(__always)
  init(
    _ state: State, before following: Frame<Failure>, fail: @escaping @Sendable (Completion<Failure>) -> Void
  ) {
    self.state = state
    self.following = following
    super.init(fail: fail)
  }

  /// The frame of a step for which one of this type was made.
  @inlinable @inline(__always)
  static func of(_ frame: Frame<Failure>) -> StateFrame { unsafeDowncast(frame, to: StateFrame.self) }
}

/// The frame of a step that keeps something until the end, and hands nothing on before.
@usableFromInline
final class FoldFrame<State, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  @exclusivity(unchecked) @usableFromInline var state: State

  @inlinable @inline(__always)
  init(_ state: State, fail: @escaping @Sendable (Completion<Failure>) -> Void) {
    self.state = state
    super.init(fail: fail)
  }

  @inlinable @inline(__always)
  static func of(_ frame: Frame<Failure>) -> FoldFrame { unsafeDowncast(frame, to: FoldFrame.self) }
}

extension Sink {
  /// What to do with a value, as a step and its frame. Makes a frame, if this is the sink of a closure.
  @inlinable @inline(__always)
  var entry: (step: Step<Value, Failure>, frame: Frame<Failure>) {
    switch route {
    case .step(let step, let frame): return (step, frame)
    case .closure(let next):
      let end = EndFrame(next: next, subscription: subscription, fail: fail)
      switch gate {
      case .ahead: return ({ value, frame in EndFrame<Value, Failure>.of(frame).next(value) }, end)
      case .missing:
        return (
          { value, frame in
            let end = EndFrame<Value, Failure>.of(frame)
            if !end.subscription.isDisposed { end.next(value) }
          }, end
        )
      }
    }
  }

  /// ``terminate`` for a frame, which has nothing but failures to tell: it does not keep that, if there are none.
  @inlinable
  var fail: @Sendable (Completion<Failure>) -> Void {
    @inline(__always) get {
      if Failure.self == Never.self { return { _ in } }
      return terminate
    }
  }

  /// The same sink with a frame, for many signals that would each make one.
  @inlinable var framed: Sink {
    let (step, frame) = entry
    return Sink(
      route: .step(step, frame), gate: .ahead, ending: ending, terminate: terminate,
      subscription: subscription)
  }

  /// The sink of an operator with one upstream, which shares the subscription.
  ///
  /// - Parameters:
  ///   - frame: the operator's own, or that of ``entry``.
  ///   - step: what to do with a value of the upstream. It keeps nothing but the step of ``entry`` and closures of users.
  @inlinable @inline(__always)
  func upstream<Input>(_ frame: Frame<Failure>, step: @escaping Step<Input, Failure>) -> Sink<Input, Failure>
  {
    upstream(frame, ending: upstreamEnding(), step: step, terminate: terminate)
  }

  /// The same for an operator that has something to do at the end, or may end the run before its source does, `ending: .early`.
  @inlinable @inline(__always)
  func upstream<Input>(
    _ frame: Frame<Failure>, ending: Sink<Input, Failure>.Ending, step: @escaping Step<Input, Failure>,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> Sink<Input, Failure> {
    Sink<Input, Failure>(
      route: .step(step, frame), gate: .ahead, ending: ending, terminate: terminate,
      subscription: subscription)
  }
}
