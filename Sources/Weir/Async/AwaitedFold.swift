// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # A task that waits for the end of a signal
//
// Guarantees: the task is resumed exactly once, by whoever ends the run: the source, or whoever cancels the
// task, which may come before there is a continuation. It gets what the values have added up to until then,
// and none of them is under way. While it waits, nothing here keeps the source: that the last one who does
// lets go of it is an end, too. So every function on the way there consumes it.
//
// The role says who may touch the state (see `DrainRole`): the task, until its continuation is stored;
// whoever delivers an event, while it does; whoever ends it, if nobody does. Deliveries are serial, so no one
// finds the role taken by another one. Who ends it while a value is being delivered leaves the rest to that
// delivery, which finds that it cannot leave.

/// The values of one run of a signal, added up for a task.
@usableFromInline
final class AwaitedFold<State: Sendable, Failure: Error>: AwaitedRun, @unchecked Sendable {
  // Unchecked: all variables belong to whoever has the role.
  @exclusivity(unchecked) @usableFromInline var roleWord = DrainRole.draining
  @exclusivity(unchecked) @usableFromInline var completion: Completion<Failure>?
  @exclusivity(unchecked) @usableFromInline var sleeper: TaskSleeper?
  @usableFromInline let upstream = Subscription()
  /// The last one: it has any size.
  @exclusivity(unchecked) @usableFromInline var state: State

  /// - Parameters:
  ///   - state: what to begin with.
  ///   - interruption: what it ends with if there is no terminal event.
  @inlinable
  init(_ state: State, interruption: Completion<Failure>?) {
    self.state = state
    completion = interruption
  }

  @inlinable var role: DrainRole {
    @inline(__always) get { DrainRole(AtomicWord(property: 0, of: self)) }
  }

  /// Resumes the task at the end of `source`; at once, if there is none, or, without running it, if the task
  /// was cancelled before.
  @inlinable
  func resume<Value>(
    _ sleeper: TaskSleeper, afterEndOf source: Signal<Value, Failure>?,
    _ update: @escaping @Sendable (inout State, Value) -> Void
  ) {
    self.sleeper = sleeper
    guard let source, role.leave() else { return end() }
    let feed = Feed(self)
    source.attach(
      Sink(
        next: { value in feed.run.add { update(&$0, value) } }, terminate: { feed.terminate($0) },
        subscription: upstream))
  }

  @inlinable @inline(__always)
  func add(_ change: (inout State) -> Void) {
    guard role.enter() else { return }
    change(&state)
    if !role.leave() { end() }
  }

  /// A clean-up of the source, or another thread, may have cancelled it meanwhile: nobody receives a failure
  /// then.
  @inlinable
  func terminate(_ completion: Completion<Failure>) {
    guard role.enter() else { return upstream.reportError(of: completion) }
    self.completion = completion
    end()
  }

  @inlinable
  func abandon() { if role.enter() { end() } }

  /// From any thread.
  @inlinable
  func cancel() {
    let found = role.end()
    upstream.dispose()
    if found.isConsumer { end() }
  }

  /// What whoever has the role does last: it is left to nobody but the task.
  @inlinable
  func end() {
    _ = role.end()
    // Whoever has abandoned it may be deep inside of other releases. The others have ended this, or do.
    upstream.endWithOwner()
    role.leaveEnded()
    sleeper?.resume()
  }

  /// What there is for the task when it was resumed.
  ///
  /// The source may still keep this object: so it keeps nothing of that, nor the error that is thrown.
  ///
  /// - Parameter empty: what is left in its place.
  @inlinable
  func outcome(leaving empty: State) throws(Failure) -> State {
    precondition(role.isEnded, "weir: a task that waits was resumed before the end")
    let outcome = state
    state = empty
    if case .failed(let error) = completion {
      completion = nil
      throw error
    }
    return outcome
  }

  /// Whether it has come to its end, and was not cut off. For the task when it was resumed.
  @inlinable var hasCompleted: Bool {
    if case .finished = completion { true } else { false }
  }

  /// Runs `source`, and suspends the task until its end, or until the task is cancelled.
  ///
  /// - Parameter actor: where it is subscribed.
  @inlinable
  func sleep<Value>(
    untilEndOf source: consuming Signal<Value, Failure>, isolation actor: isolated (any Actor)?,
    _ update: @escaping @Sendable (inout State, Value) -> Void
  ) async {
    // Taken when it is attached: what the frame of a task has, it has until the task goes on.
    var pending: Signal<Value, Failure>? = consume source
    await withTaskCancellationHandler {
      // A closure that names the actor is isolated to it; others go on elsewhere.
      await withUnsafeContinuation(isolation: actor) {
        resume(TaskSleeper($0), afterEndOf: pending.take(), update)
      }
    } onCancel: {
      cancel()
    }
  }
}

extension SignalConvertible {
  /// What the values add up to, when the signal has ended.
  ///
  /// - Parameters:
  ///   - state: what to begin with, and what to leave behind: it keeps nothing.
  ///   - interruption: what it ends with if there is no terminal event; nil for what has come.
  ///   - actor: where it is subscribed.
  @inlinable
  consuming func folded<State: Sendable>(
    into state: State, interruption: Completion<Failure>? = nil,
    isolation actor: isolated (any Actor)? = #isolation,
    _ update: @escaping @Sendable (inout State, Value) -> Void
  ) async throws(Failure) -> State {
    let fold = AwaitedFold(state, interruption: interruption)
    await fold.sleep(untilEndOf: (consume self).signal, isolation: actor, update)
    return try fold.outcome(leaving: state)
  }
}
