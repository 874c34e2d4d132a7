// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs tasks of Swift on a scheduler.
///
/// ```swift
/// let executor = SchedulerTaskExecutor(.pool)
/// await withTaskExecutorPreference(executor) { await work() }
/// ```
///
/// Each time a task goes on is one piece of work, in one allocation. Two parts of a task never overlap, whatever the scheduler. A task
/// cannot be given up: if the scheduler is shut down, what is left of it runs on the shared ``WorkerPool``.
///
/// ReactiveObjC has none.
public final class SchedulerTaskExecutor: TaskExecutor {
  private let scheduler: any Scheduler

  /// An executor that runs tasks on `scheduler`, which need not be serial.
  public init(_ scheduler: some Scheduler) { self.scheduler = scheduler }

  /// Called by the Swift runtime when a task can go on.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    scheduler.enqueue(
      ExecutorWork(orElse: WorkerPool.shared) { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) })
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
/// What the scheduler runs for others is serial with the actor, and counts as isolated to it: a subscriber behind `observe(on:)` may use
/// `assumeIsolated`. Each job of the actor is one piece of work, in one allocation. If the scheduler is shut down, the actor's jobs run on
/// the shared ``WorkerPool``, one at a time: an actor cannot be stopped.
///
/// ReactiveObjC has none.
public final class SchedulerSerialExecutor: SerialExecutor {
  private let scheduler: any Scheduler
  private let remainder = SerialScheduler()

  /// An executor that runs its actors on `scheduler`.
  ///
  /// - Parameter scheduler: must be serial. It is not asked: on one that is not, two threads would be in one actor.
  public init(_ scheduler: some Scheduler) { self.scheduler = scheduler }

  /// Called by the Swift runtime when an actor has something to do.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    scheduler.enqueue(
      ExecutorWork(orElse: remainder) { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) })
  }

  /// Whether the calling code is being run by the scheduler.
  public func isIsolatingCurrentContext() -> Bool? { scheduler.isCurrent || remainder.isCurrent }

  /// Stops the process unless the calling code is being run by the scheduler.
  public func checkIsolated() {
    precondition(
      scheduler.isCurrent || remainder.isCurrent,
      "weir: isolation to an actor was assumed outside its scheduler; schedule the work there, or await the actor"
    )
  }
}

/// A job of the Swift runtime. It must be run, whatever becomes of the scheduler.
private final class ExecutorWork: ScheduledWork {
  private let other: any Scheduler
  private let job: @Sendable () -> Void
  private let hasMoved = ActionDisposable {}

  init(orElse other: any Scheduler, _ job: @escaping @Sendable () -> Void) {
    self.other = other
    self.job = job
  }

  func run() { job() }

  func abandon() {
    if hasMoved.isDisposed { return job() }
    hasMoved.dispose()
    other.enqueue(self)
  }
}
