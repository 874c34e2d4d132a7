// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Steps
//
// How the operators of a hot chain become one function. A closure that calls the next one has it among what
// it keeps, and the compiler does not know which one that is: two calls through pointers for each operator
// and value. So what an operator does with a value is a function of the value and of a *frame*, an object
// with what the chain needs of one run; such a function is a *step*. It keeps closures of users and the next
// step, and nothing of the run. Where the closures keep nothing either, all that a step keeps is known when
// the program is compiled, and the optimiser makes one function of it and of all steps behind it. Where they
// do keep something, a step calls them and the next step, as closures would.
//
// Who owns what: a source owns the first step and its frame; a frame owns the next one, and the last one owns
// what the chain feeds.

/// What a chain does with a value, in the frame of a run.
@usableFromInline typealias Step<Value, Failure: Error> = @Sendable (Value, Frame<Failure>) -> Void

/// What the steps of a chain need of one run. The last of them has an ``EndFrame``, and one with something of
/// its own a ``FoldFrame``, a ``RelayFrame``, a ``FailureFrame`` or a ``GateFrame``. The others use that of
/// the next.
@usableFromInline
class Frame<Failure: Error>: @unchecked Sendable {
  // Unchecked: constant; what subclasses add is used within serial delivery only.
  @usableFromInline final let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init(fail: @escaping @Sendable (Completion<Failure>) -> Void) { terminate = fail }

  /// What a frame that only fails keeps of `terminate`: nothing, if there are no failures.
  @inlinable @inline(__always)
  static func keeping(
    _ terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> @Sendable (Completion<Failure>) -> Void {
    if Failure.isImpossible { return { _ in } }
    return terminate
  }

  /// The run that a failure ends. Nil for a frame that reports a failure after the end by itself.
  @inlinable var failing: Subscription? { nil }

  /// Ends the run with what a closure has thrown. If that closure has ended the run before, nobody receives
  /// the error: it is reported. Not final: who closes before the run has ended lets no failure through.
  @inlinable
  func fail(_ error: Failure) {
    if let failing, failing.isDisposed { failing.report(error) } else { terminate(.failed(error)) }
  }

  /// This frame as what it is for the step that it was made for, which alone knows that.
  @inlinable @inline(__always)
  final func own<Own: Frame<Failure>>() -> Own { unsafeDowncast(self, to: Own.self) }
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

  @inlinable override var failing: Subscription? { subscription }
}

/// The frame of a step that keeps something from value to value, and hands nothing on before the end.
@usableFromInline
final class FoldFrame<State, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  @exclusivity(unchecked) @usableFromInline var state: State
  @usableFromInline let run: Subscription

  @inlinable @inline(__always)
  init<Value>(_ state: State, in sink: Sink<Value, Failure>) {
    self.state = state
    run = sink.subscription
    super.init(fail: sink.fail)
  }

  @inlinable override var failing: Subscription? { run }
}

/// The frame of a step that keeps something from value to value, and hands values on.
@usableFromInline
final class RelayFrame<State, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
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

  @inlinable override var failing: Subscription? { following.failing }
}

/// The frame of a step that hands values on as they are, to a chain that fails in another way.
@usableFromInline
final class FailureFrame<NextFailure: Error, Failure: Error>: Frame<Failure>, @unchecked Sendable {
  // Unchecked: constant.
  /// That of the next step.
  @usableFromInline let following: Frame<NextFailure>

  @inlinable @inline(__always)
  init(before following: Frame<NextFailure>, fail: @escaping @Sendable (Completion<Failure>) -> Void) {
    self.following = following
    super.init(fail: fail)
  }

  @inlinable override var failing: Subscription? { following.failing }
}

/// The frame of a step that may end the run before its source does.
@usableFromInline
final class GateFrame<Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  /// How many more values may come. Once there are none, nothing gets through any more, no end and no failure
  /// either.
  @exclusivity(unchecked) @usableFromInline var left: Int
  /// That of the next step.
  @usableFromInline let following: Frame<Failure>
  @usableFromInline let run: Subscription

  @inlinable @inline(__always)
  init<Value>(_ left: Int = .max, before following: Frame<Failure>, in sink: Sink<Value, Failure>) {
    self.left = left
    self.following = following
    run = sink.subscription
    super.init(fail: sink.terminate)
  }

  @inlinable override var failing: Subscription? { run }

  @inlinable
  override func fail(_ error: Failure) {
    if left == 0 || run.isDisposed { run.report(error) } else { end(with: .failed(error)) }
  }

  /// Closes, and ends the run.
  @inlinable @inline(__always)
  func end(with completion: Completion<Failure>) {
    if left == 0 { return }
    left = 0
    terminate(completion)
  }

  /// Completes the run, if the value that was just handed on was the last one.
  @inlinable @inline(__always)
  func completeIfClosed() { if left == 0, !run.isDisposed { terminate(.finished) } }
}

extension Error {
  /// Whether this is `Never`, which is known when the program is compiled. Asked like this since the
  /// optimiser of Swift 6.3 finds the answer for arrays only: `Self.self == Never.self` it leaves to the
  /// program, unless it is true, and a chain with a branch in it is not one function.
  @inlinable
  static var isImpossible: Bool {
    @inline(__always) get { [Self].self is [Never].Type }
  }
}
