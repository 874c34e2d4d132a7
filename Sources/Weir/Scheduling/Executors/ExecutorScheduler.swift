// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs work on a Swift task executor, such as the pool that runs all tasks.
///
/// Each piece of work is a task of its own: it may run concurrently with others, and in another order; a
/// ``SerialScheduler`` on top of it keeps the order. Work runs on threads that all tasks of the process
/// share, so it must not block. Operators that hop, which is to change threads, do so only once for a burst
/// of values. It cannot be shut down, and abandons nothing.
///
/// ReactiveObjC has no such scheduler.
public final class ExecutorScheduler: TimedScheduler {
  private let executor: any TaskExecutor

  /// Creates a scheduler that runs work on `executor`.
  ///
  /// - Parameter executor: by default the one that runs all tasks.
  public init(_ executor: any TaskExecutor = globalConcurrentExecutor) { self.executor = executor }

  /// Runs `work` in a detached task of default priority that prefers the executor.
  public func enqueue(_ work: any ScheduledWork) {
    Task.detached(executorPreference: executor) { self.performAsCurrent { work.run() } }
  }
}

extension SerialScheduler {
  /// Creates a serial scheduler whose work is isolated to an actor: it may use `assumeIsolated`.
  ///
  /// A burst of work is one detached task, of default priority, on the actor, for up to 256 pieces; then
  /// comes another task. In between, the actor runs whatever else it has to do.
  ///
  /// - Parameter actor: retained as long as the scheduler lives.
  ///
  /// ReactiveObjC has none.
  public convenience init(isolatedTo actor: some Actor) { self.init(on: ActorTarget(actor)) }
}

/// Runs work in the isolation of an actor; in no particular order.
private final class ActorTarget: Scheduler {
  private let actor: any Actor

  init(_ actor: any Actor) { self.actor = actor }

  func enqueue(_ work: any ScheduledWork) { Task.detached { await self.run(work, in: self.actor) } }

  private func run(_ work: any ScheduledWork, in actor: isolated any Actor) {
    performAsCurrent { work.run() }
  }
}
