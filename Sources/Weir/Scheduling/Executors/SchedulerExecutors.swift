// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs tasks of Swift on a scheduler.
///
/// ```swift
/// let executor = SchedulerTaskExecutor(.pool)
/// await withTaskExecutorPreference(executor) { await work() }
/// ```
///
/// Each time a task goes on is one piece of work, in one allocation. Two parts of a task never overlap,
/// whatever the scheduler. A task cannot be given up: if the scheduler is shut down, what is left of it runs
/// on the shared ``WorkerPool``, and if that is, too, on the threads of all tasks. There also goes a part
/// that the scheduler would run inside the very call of ``enqueue(_:)`` that hands it over, as
/// ``ImmediateScheduler`` does: whoever has a task go on may hold a lock, as Swift does while it cancels the
/// task. Other parts are not found out: a ``SerialScheduler`` on top of ``ImmediateScheduler`` may run, in
/// that call, one that another thread has handed over meanwhile. So a task wants another scheduler.
///
/// ReactiveObjC has none.
public final class SchedulerTaskExecutor: TaskExecutor {
  private let scheduler: any Scheduler

  /// An executor that runs tasks on `scheduler`, which need not be serial.
  public init(_ scheduler: some Scheduler) { self.scheduler = scheduler }

  /// Called by the Swift runtime when a task can go on.
  public func enqueue(_ job: consuming ExecutorJob) {
    let work = TaskWork(UnownedJob(job), of: self)
    work.enqueue(on: scheduler)
  }
}

/// Runs an actor of Swift on a serial scheduler.
///
/// ```swift
/// actor Ledger {
///   nonisolated let executor = SchedulerSerialExecutor(SerialScheduler())
///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// }
/// ```
///
/// What the scheduler runs for others is serial with the actor, and counts as isolated to it: a subscriber
/// behind `observe(on:)` may use `assumeIsolated`. Each job of the actor is one allocation; those that come
/// in a burst are one piece of the scheduler's work, up to 256 of them.
///
/// An actor cannot be stopped. While the scheduler is being shut down, or the one below it, it runs the
/// actor's jobs like work that waits; when that is over they run on the shared ``WorkerPool``, and if that is
/// shut down, too, on the threads of all tasks. They stay one at a time, also while one goes on that the
/// scheduler has given up on. Other work that it has given up on is not serial with them any more.
///
/// ReactiveObjC has none.
public final class SchedulerSerialExecutor: SerialExecutor {
  private let scheduler: any Scheduler
  private let place: ActorPlace
  /// Runs the actor's jobs one at a time, wherever that is: also while one goes on that the scheduler has
  /// given up on.
  private let jobs: SerialScheduler

  /// An executor that runs its actors on `scheduler`.
  ///
  /// - Parameter scheduler: must be serial. It is not asked: on one that is not, two threads would be in one
  ///   actor. Nor may it run work inside `enqueue`, as one on top of ``ImmediateScheduler`` does: whoever has
  ///   something for the actor to do may hold a lock, as Swift does while it cancels a task.
  public init(_ scheduler: some Scheduler) {
    self.scheduler = scheduler
    place = ActorPlace(scheduler)
    jobs = SerialScheduler(on: place)
  }

  /// Called by the Swift runtime when an actor has something to do.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.enqueue(ActorWork(job, of: self))
  }

  fileprivate func run(_ job: UnownedJob) {
    place.perform { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Whether the calling code is being run by the scheduler.
  public func isIsolatingCurrentContext() -> Bool? { scheduler.isCurrent || jobs.isCurrent }

  /// Stops the process unless the calling code is being run by the scheduler.
  public func checkIsolated() {
    precondition(
      scheduler.isCurrent || jobs.isCurrent,
      "weir: isolation to an actor was assumed outside its scheduler; schedule the work there, or await the actor"
    )
  }
}

/// Where that goes which must be run, whatever becomes of its scheduler. Never to whoever has enqueued it,
/// which may be code that holds a lock, or another such piece of work, and so on down the stack.
private struct Refuge {
  private var isPoolGone = false

  mutating func next() -> any Scheduler {
    if isPoolGone { return ExecutorScheduler() }
    isPoolGone = true
    return WorkerPool.shared
  }
}

/// Where an actor's jobs are run: on its scheduler, or, what that gives up, elsewhere. One piece of work at a
/// time.
private final class ActorPlace: Scheduler, ScheduledWork, @unchecked Sendable {
  // Unchecked: the variables belong to the one piece of work that is handed over, or runs.
  private let scheduler: any Scheduler
  @exclusivity(unchecked) private var work: (any ScheduledWork)?
  @exclusivity(unchecked) private var refuge = Refuge()
  @exclusivity(unchecked) private var isScheduler = true

  init(_ scheduler: some Scheduler) { self.scheduler = scheduler }

  /// Not as new work: a scheduler that is being shut down runs it until that is over, serially with what
  /// waits there.
  func enqueue(_ work: any ScheduledWork) {
    self.work = work
    refuge = Refuge()
    scheduler.lineUp(self)
  }

  func run() {
    isScheduler = scheduler.isCurrent
    work?.run()
  }

  func abandon() { refuge.next().enqueue(self) }

  /// For the work that runs.
  func perform(_ body: () -> Void) {
    if isScheduler { scheduler.performAsCurrent(body) } else { body() }
  }
}

private final class ActorWork: ScheduledWork {
  private let job: UnownedJob
  private let executor: SchedulerSerialExecutor

  init(_ job: UnownedJob, of executor: SchedulerSerialExecutor) {
    (self.job, self.executor) = (job, executor)
  }

  func run() { executor.run(job) }
}

/// A part of a task. It must be run, whatever becomes of the scheduler.
private final class TaskWork: ScheduledWork, @unchecked Sendable {
  // Unchecked: the word is atomic; the refuge belongs to whoever has the work.
  private var enqueuerWord: UInt64 = 0
  private let job: UnownedJob
  private let executor: SchedulerTaskExecutor
  @exclusivity(unchecked) private var refuge = Refuge()

  init(_ job: UnownedJob, of executor: SchedulerTaskExecutor) { (self.job, self.executor) = (job, executor) }

  private var rounds: RepeatedWork { RepeatedWork(AtomicWord(property: 0, of: self)) }

  /// Hands it over. What the scheduler would run in here is left to a loop of one round, which passes it on.
  func enqueue(on scheduler: any Scheduler) {
    // It may have run, and be let go of, before this is done with the word.
    withExtendedLifetime(self) {
      rounds.next(
        scheduling: { scheduler.enqueue(self) },
        performing: {
          abandon()
          return false
        })
    }
  }

  func run() {
    if rounds.isLeftToLoop() { return }
    job.runSynchronously(on: executor.asUnownedTaskExecutor())
  }

  func abandon() { refuge.next().enqueue(self) }
}
