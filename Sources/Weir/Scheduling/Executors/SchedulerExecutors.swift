// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs Swift tasks on a scheduler.
///
/// ```swift
/// let executor = SchedulerTaskExecutor(.pool)
/// await withTaskExecutorPreference(executor) { await work() }
/// ```
///
/// Each time a task continues is one piece of work, in one allocation. Two parts of a task never overlap,
/// whatever the scheduler. A task cannot be given up: if the scheduler is shut down, the rest of the task
/// runs on the shared ``WorkerPool``, and if that is shut down, too, on the threads of all tasks. So does a
/// part that the scheduler would run inside the very call of ``enqueue(_:)`` that hands it over, as
/// ``ImmediateScheduler`` does: the code that resumes a task may hold a lock, as Swift does while it cancels
/// the task. Other such parts are not detected: a ``SerialScheduler`` on top of ``ImmediateScheduler`` may
/// run, in that call, one that another thread has handed over meanwhile. So use other schedulers for tasks.
///
/// ReactiveObjC has none.
public final class SchedulerTaskExecutor: TaskExecutor {
  private let scheduler: any Scheduler

  /// Creates an executor that runs tasks on `scheduler`, which need not be serial.
  public init(_ scheduler: some Scheduler) { self.scheduler = scheduler }

  /// Called by the Swift runtime when a task can continue.
  public func enqueue(_ job: consuming ExecutorJob) {
    let work = TaskWork(UnownedJob(job), of: self)
    work.enqueue(on: scheduler)
  }
}

/// Runs a Swift actor on a serial scheduler.
///
/// ```swift
/// actor Ledger {
///   nonisolated let executor = SchedulerSerialExecutor(SerialScheduler())
///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// }
/// ```
///
/// Other work of the scheduler is serial with the actor, and counts as isolated to it: a subscriber behind
/// `observe(on:)` may use `assumeIsolated`. Each job of the actor is one allocation; jobs that come in a
/// burst are one piece of work for the scheduler, up to 256 of them.
///
/// An actor cannot be stopped. While the scheduler, or the one below it, is being shut down, it runs the
/// actor's jobs like queued work; when that is over they run on the shared ``WorkerPool``, and if that is
/// shut down, too, on the threads of all tasks. They still run one at a time, even if one is still running
/// that the scheduler has given up on. Other work that the scheduler has given up on is not serial with them
/// any more.
///
/// ReactiveObjC has none.
public final class SchedulerSerialExecutor: SerialExecutor {
  private let scheduler: any Scheduler
  private let place: ActorPlace
  /// Runs the actor's jobs one at a time, wherever they run, even if one is still running that the scheduler
  /// has given up on.
  private let jobs: SerialScheduler

  /// Creates an executor that runs its actors on `scheduler`.
  ///
  /// - Parameter scheduler: must not run work inside `enqueue`, as one on top of ``ImmediateScheduler`` does:
  ///   the code that enqueues a job may hold a lock, as Swift does while it cancels a task.
  public convenience init(_ scheduler: SerialScheduler) { unsafe self.init(serial: scheduler) }

  /// Creates an executor that runs its actors on a scheduler of another type, such as one of your own that
  /// has a single thread.
  ///
  /// That it is serial is not checked: hence `@unsafe`. On one that is not, other work of the scheduler that
  /// assumes isolation to the actor races with it. (The jobs of the actor itself run one at a time
  /// everywhere.)
  ///
  /// - Parameter scheduler: must be serial, and not run work inside `enqueue`, as in ``init(_:)``.
  @unsafe
  public init(serial scheduler: some Scheduler) {
    self.scheduler = scheduler
    place = ActorPlace(scheduler)
    jobs = SerialScheduler(on: place)
  }

  /// Called by the Swift runtime when an actor has a job to run.
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
    require(
      scheduler.isCurrent || jobs.isCurrent,
      "weir: isolation to an actor was assumed outside its scheduler; schedule the work there, or await the actor"
    )
  }
}

/// The schedulers for work that must be run even if its own scheduler abandons it. Such work is never run
/// inside the call that enqueues it, which may hold a lock, or come from another such piece of work, and so
/// on down the stack.
private struct Refuge {
  private var isPoolGone = false

  mutating func next() -> any Scheduler {
    if isPoolGone { return ExecutorScheduler() }
    isPoolGone = true
    return WorkerPool.shared
  }
}

/// Runs an actor's jobs on its scheduler, and elsewhere those that the scheduler abandons. One piece of work
/// at a time.
private final class ActorPlace: Scheduler, ScheduledWork, @unchecked Sendable {
  // Unchecked: the variables belong to the one piece of work that is handed over, or runs.
  private let scheduler: any Scheduler
  @exclusivity(unchecked) private var work: (any ScheduledWork)?
  @exclusivity(unchecked) private var refuge = Refuge()
  @exclusivity(unchecked) private var isScheduler = true

  init(_ scheduler: some Scheduler) { self.scheduler = scheduler }

  /// Not as new work: a scheduler that is being shut down runs it, serially with its queued work, until the
  /// shutdown is over.
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

  /// For the work that is running.
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

/// A part of a task. It must be run, even if the scheduler is shut down.
private final class TaskWork: ScheduledWork, @unchecked Sendable {
  // Unchecked: the word is atomic; the refuge belongs to the thread that has the work.
  private var enqueuerWord: UInt64 = 0
  private let job: UnownedJob
  private let executor: SchedulerTaskExecutor
  @exclusivity(unchecked) private var refuge = Refuge()

  init(_ job: UnownedJob, of executor: SchedulerTaskExecutor) { (self.job, self.executor) = (job, executor) }

  private var rounds: RoundLoop { RoundLoop(AtomicWord(property: 0, of: self)) }

  /// Hands the part over. If the scheduler would run it inside this call, that is left to a loop of one
  /// round, which hands it to the refuge instead.
  func enqueue(on scheduler: any Scheduler) {
    // The part may have run, and been released, before this call is done with the word.
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
