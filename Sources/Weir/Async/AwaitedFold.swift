// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # A task that waits for the end of a signal
//
// Guarantees: the task is resumed exactly once, by the thread that ends the run: that of the source, or the
// one that cancels the task, which may do so before there is a continuation. The task gets the fold of the
// values until then, and none is being delivered any more. While it waits, nothing here retains the source:
// its release by the last owner is an end, too. So every function on the way there consumes it.
//
// The role says which thread may touch the state (see `DrainRole`): the task's, until its continuation is
// stored; one that delivers an event, meanwhile; one that ends the run, if no thread has the role. Deliveries
// are serial, so none finds the role taken by another one. A thread that cancels stops the source, which may
// be running on the thread of the task, and resumes the task; while a value is being delivered it leaves that
// to the delivery, which finds that it cannot leave. The clean-ups of the run it leaves to the task in either
// case: Swift holds locks while it cancels, that of the task and that of one that has started it, which a
// producer needs to resume either of them; and the producer may hold a lock that a clean-up takes. (User code
// runs in `cancel()` only where invariant 5 of `DisposalList` says so.) But a task that is still subscribing
// its source may not come to them: the source may send for ever, in a run that only a clean-up stops. Then
// another thread runs them, which holds no lock: whoever is first.

/// The fold of the values of one run of a signal, for a task.
@usableFromInline
final class AwaitedFold<State: Sendable, Failure: Error>: AwaitedRun, @unchecked Sendable {
  // Unchecked: all variables belong to whoever has the role.
  @exclusivity(unchecked) private var roleWord = DrainRole.draining
  @exclusivity(unchecked) private var subscribingWord: UInt64 = 0
  @exclusivity(unchecked) private var finishedWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var completion: Completion<Failure>?
  @exclusivity(unchecked) @usableFromInline var sleeper: TaskSleeper?
  @usableFromInline let upstream = Subscription()
  /// What a canceller has stopped, for the task to dispose. Changing the role hands it over.
  @exclusivity(unchecked) @usableFromInline var stopped: UInt64?
  /// The last property: its size varies.
  @exclusivity(unchecked) @usableFromInline var state: State

  /// - Parameters:
  ///   - state: the initial state.
  ///   - interruption: the end if there is no terminal event.
  @inlinable
  init(_ state: State, interruption: Completion<Failure>?) {
    self.state = state
    completion = interruption
  }

  @inlinable @inline(__always) var role: DrainRole { DrainRole(AtomicWord(property: 0, of: self)) }
  /// Not zero while the source is being subscribed.
  @inlinable var subscribing: AtomicWord { AtomicWord(property: 1, of: self) }
  /// Whether somebody runs the clean-ups of what a canceller has stopped.
  @inlinable var isFinished: OnceFlag { OnceFlag(AtomicWord(property: 2, of: self)) }

  /// Resumes the task at the end of `source`; at once if there is no source, or if the task was cancelled
  /// before: then the source is not run.
  @inlinable
  func resume<Value>(
    _ sleeper: TaskSleeper, afterEndOf source: Signal<Value, Failure>?,
    _ update: @escaping @Sendable (inout State, Value) -> Void
  ) {
    self.sleeper = sleeper
    // Before the role is left, which releases it to a canceller that takes that.
    subscribing.storeRelaxed(1)
    guard let source, role.leave() else { return end() }
    defer { subscribing.storeRelaxed(0) }
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
    if !role.leave() { leaveToTask() }
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
    stopped = upstream.beginDisposal()
    let found = role.end()
    if subscribing.loadRelaxed() != 0 { WorkerPool.shared.enqueue(FinishingElsewhere { self.finish() }) }
    if found == .idle { leaveToTask() }
  }

  /// Runs the clean-ups of what a canceller has stopped.
  @inlinable
  func finish() {
    if isFinished.claim(), let work = stopped.take() { upstream.finishDisposal(work) }
  }

  /// Ends the run, for the thread that has the role: from then on only the task touches this object.
  @inlinable
  func end() {
    _ = role.end()
    // For `abandon()`, which may be deep inside other releases. Otherwise `upstream` has been ended, or is
    // being ended by another thread.
    upstream.endWithOwner()
    leaveToTask()
  }

  /// For the thread that has the role of a run that has ended.
  @inlinable
  func leaveToTask() {
    role.leaveEnded()
    sleeper?.resume()
  }

  /// The result for the task after it was resumed.
  ///
  /// The source may still retain this object: so this retains neither the result nor the error that it
  /// throws.
  ///
  /// - Parameter empty: the state to leave in place of the result.
  @inlinable
  func outcome(leaving empty: State) throws(Failure) -> State {
    require(role.isEnded, "weir: a task that waits was resumed before the end")
    let outcome = state
    state = empty
    if case .failed(let error) = completion {
      completion = nil
      throw error
    }
    return outcome
  }

  /// Whether the signal has completed, and was not cut off. For the task after it was resumed.
  @inlinable var hasCompleted: Bool {
    if case .completed = completion { true } else { false }
  }

  /// Runs `source`, and suspends the task until its end, or until the task is cancelled.
  ///
  /// - Parameter actor: where the source is subscribed.
  @inlinable
  func sleep<Value>(
    untilEndOf source: consuming Signal<Value, Failure>, isolation actor: isolated (any Actor)?,
    _ update: @escaping @Sendable (inout State, Value) -> Void
  ) async {
    // Taken when it is attached: what the frame of a task holds, it holds until the task continues.
    var pending: Signal<Value, Failure>? = consume source
    await withTaskCancellationHandler {
      // A closure that names the actor is isolated to it; others go on elsewhere.
      await withUnsafeContinuation(isolation: actor) {
        resume(TaskSleeper($0), afterEndOf: pending.take(), update)
      }
    } onCancel: {
      cancel()
    }
    // If it was cancelled.
    finish()
  }
}

/// Runs clean-ups on a thread that holds no lock.
@usableFromInline
final class FinishingElsewhere: ScheduledWork {
  private let finish: @Sendable () -> Void

  @usableFromInline
  init(_ finish: @escaping @Sendable () -> Void) { self.finish = finish }

  @usableFromInline
  func run() { finish() }

  /// The pool has been shut down.
  @usableFromInline
  func abandon() { ExecutorScheduler().enqueue(self) }
}

extension SignalConvertible {
  /// Folds the values, and returns the result when the signal has ended.
  ///
  /// - Parameters:
  ///   - state: the initial state, which is also left behind: it retains nothing.
  ///   - interruption: the end if there is no terminal event; nil to return the state so far.
  ///   - actor: where the signal is subscribed.
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
