// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Steps
//
// How the operators of a hot chain become one function. A closure that calls the next one captures it, and
// the compiler does not know which one that is: two indirect calls for each operator and value. So an
// operator handles a value in a function of the value and of a *frame*, an object with what the chain needs
// for one run; such a function is a *step*. It captures users' closures and the next step, and nothing of the
// run. If the closures capture nothing either, all captures of a step are known at compile time, and the
// optimiser makes one function of it and of all steps downstream. If they do capture something, a step calls
// them, as closures would, and the steps upstream call it: see FoldingHint.
//
// Ownership: a source owns the first step and its frame; a frame owns the next one, and the last one owns
// what the chain feeds.

/// Handles a value in a chain, with the frame of a run.
@usableFromInline typealias Step<Value, Failure: Error> = @Sendable (Value, Frame<Failure>) -> Void

/// What a step with a user's closure captures besides, so that the optimiser folds into the step whatever of
/// its captures is known.
///
/// Swift 6.3 folds known captures into a closure if all its captures are known; or if one of them is a
/// literal key path, as the optimiser is keen to remove these. So a step captures this one. Then a closure
/// that captures nothing becomes part of its step although the next step does capture something, and the next
/// step although the closure does. The key path itself is gone then. Code that is not specialised for its
/// types keeps it: a word of the step, and a look-up for each subscriber. Swift 6.2 folds no key path, and no
/// capture beside one: there it is a number.
@usableFromInline
enum FoldingHint {
  #if compiler(>=6.3)
  @inlinable @inline(__always) static var constant: any KeyPath<Int, Int> & Sendable { \.self }
  #else
  @inlinable @inline(__always) static var constant: Int { 0 }
  #endif
}

/// The state that the steps of a chain need for one run.
///
/// The last step has a ``ClosureFrame``, or that of an operator with several upstreams: a ``SourceFrame`` if
/// it makes signals of values, a ``RowInput`` if it puts them into rows, an ``InnerRun`` if it merges them.
/// One with state of its own has a ``FoldFrame``, a ``RelayFrame``, a ``FailureFrame`` or an
/// ``EarlyEndFrame``. The others use the frame of the next step.
@usableFromInline
class Frame<Failure: Error>: @unchecked Sendable {
  // Unchecked: constant; what subclasses add is used within serial delivery only.
  @usableFromInline final let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init(fail: @escaping @Sendable (Completion<Failure>) -> Void) { terminate = fail }

  /// What a frame that only fails stores of `terminate`: nothing, if the chain cannot fail.
  @inlinable @inline(__always)
  static func keeping(
    _ terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> @Sendable (Completion<Failure>) -> Void {
    if Failure.isImpossible { return { _ in } }
    return terminate
  }

  /// The run that a failure ends. Nil for a frame that reports a failure after the end itself.
  @inlinable var failing: Subscription? { nil }

  /// Ends the run with an error that a closure has thrown. If that closure has already ended the run, nobody
  /// receives the error: it is reported. Not final: a frame that closes before the run has ended forwards no
  /// failure.
  @inlinable
  func fail(_ error: Failure) {
    if let failing, failing.isDisposed { failing.report(error) } else { terminate(.failed(error)) }
  }

  /// This frame with its own type, which only the step that it was made for knows.
  @inlinable @inline(__always)
  final func own<Own: Frame<Failure>>() -> Own { unsafeDowncast(self, to: Own.self) }
}

/// The frame of the last step, which calls a closure.
@usableFromInline
final class ClosureFrame<Value, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  @usableFromInline let next: @Sendable (Value) -> Void
  @usableFromInline let subscription: Subscription
  /// Whether the subscription is checked before each value. A field, and not a step of its own: which it is
  /// need not be known at compile time, but the last step must be.
  @usableFromInline let isGated: Bool

  @inlinable @inline(__always)
  init(
    next: @escaping @Sendable (Value) -> Void, subscription: Subscription, gate: SinkGate,
    fail: @escaping @Sendable (Completion<Failure>) -> Void
  ) {
    self.next = next
    self.subscription = subscription
    isGated = gate == .missing
    super.init(fail: fail)
  }

  @inlinable override var failing: Subscription? { subscription }
}

/// The frame of a step that keeps state between values, and forwards nothing before the end.
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

/// The frame of a step that keeps state between values, and forwards values.
@usableFromInline
final class RelayFrame<State, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  @exclusivity(unchecked) @usableFromInline var state: State
  /// The frame of the next step.
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

/// The frame of a step that forwards values unchanged, to a chain with another type of failure.
@usableFromInline
final class FailureFrame<NextFailure: Error, Failure: Error>: Frame<Failure>, @unchecked Sendable {
  // Unchecked: constant.
  /// The frame of the next step.
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
final class EarlyEndFrame<Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  /// How many more values may come. At 0, nothing is forwarded any more, no completion and no failure either.
  @exclusivity(unchecked) @usableFromInline var left: Int
  /// The frame of the next step.
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

  /// Closes the frame, and ends the run.
  @inlinable @inline(__always)
  func end(with completion: Completion<Failure>) {
    if left == 0 { return }
    left = 0
    terminate(completion)
  }

  /// Completes the run, if the value that was just forwarded was the last one.
  @inlinable @inline(__always)
  func completeIfClosed() { if left == 0, !run.isDisposed { terminate(.completed) } }
}
