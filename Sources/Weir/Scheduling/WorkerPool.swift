// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs work on threads of its own, several pieces at a time.
///
/// Work starts in the order in which it was scheduled, on whichever worker is free. The pool is not a serial
/// scheduler: put a ``SerialScheduler`` on it where order matters, or let operators do that. Work may block
/// its thread; the other threads go on with the rest.
///
/// The queue is bounded only by memory, and the memory that it once needed stays with the pool. Scheduling
/// never waits: it costs an exchange or two, and when all workers sleep, waking one. A worker without work
/// looks for some for a few microseconds, and then sleeps, or goes on looking: see ``IdlePolicy``. The
/// threads are the system's: no Dispatch, no tasks. They inherit the processors, the scheduling policy and
/// the signal mask of the thread that creates the pool; those of ``shared`` and of the timers, of the thread
/// that uses them first. So use these before you pin a thread.
///
/// A pool that has been released ends its threads when all scheduled work has run; a pending timer retains
/// its scheduler. To end it earlier, or to know when it has finished, call ``shutdown(within:)``.
///
/// ReactiveObjC: the global queues below `+[RACScheduler schedulerWithPriority:]`, which the system owns.
public final class WorkerPool: TimedScheduler, LingeringScheduler {
  /// The pool of the process: as many threads as ``defaultThreadCount``. They start when the pool is first
  /// used, and stay.
  public static let shared = WorkerPool()

  let core: PoolCore

  /// What the threads do while there is no work.
  public var idling: IdlePolicy { core.idling }

  /// How many threads the pool was created with: so many pieces of work run at a time.
  public let threadCount: Int

  /// The name that it was created with.
  public let name: String

  /// The number of processors that this process, that is its main thread, may use; at least 2, at most 1,023.
  /// A quota of processor time, as cgroups set it for containers, is not considered: where there is one, pass
  /// the number of threads to a pool of your own.
  public static var defaultThreadCount: Int { min(max(2, Int(weir_processor_count())), Crew.limit) }

  /// Creates a pool and starts its threads.
  ///
  /// - Parameters:
  ///   - threads: their number; from 1 to 1,023.
  ///   - idling: what they do while there is no work.
  ///   - name: the name of the threads in debuggers and `top`, to which a number is appended; the system
  ///     shows 15 bytes in all.
  /// - Precondition: `threads` is in these bounds, and the system does not refuse to start them.
  public init(
    threads: Int = WorkerPool.defaultThreadCount, idling: IdlePolicy = .parking, name: String = "weir-pool"
  ) {
    require(
      (1...Crew.limit).contains(threads),
      "weir: WorkerPool(threads: \(threads)): a pool has from 1 to \(Crew.limit) threads")
    core = PoolCore(workers: threads, idling: idling)
    threadCount = threads
    self.name = name
    for number in 1...threads {
      let worker = PoolWorker(core: core, pool: Unmanaged.passRetained(self))
      SystemThread.start(named: Self.threadName(name, number)) { worker.serve() }
    }
  }

  deinit { core.release() }

  /// The name of a thread, truncated between two characters so that the number remains.
  static func threadName(_ name: String, _ number: Int) -> String {
    let suffix = "-\(number)"
    var end = name.utf8.prefix(15 - suffix.utf8.count).endIndex
    while end.samePosition(in: name.unicodeScalars) == nil { name.utf8.formIndex(before: &end) }
    return name[..<end] + suffix
  }

  /// Runs `work` as soon as a worker is free. Abandons it after ``shutdown(within:)``.
  public func enqueue(_ work: any ScheduledWork) {
    core.crew.phase == .open ? add(work) : work.abandon()
  }

  /// Runs `work`, which is running here, again after the work that is queued, even during
  /// ``shutdown(within:)``. Abandons it when that is over.
  public func lineUp(_ work: any ScheduledWork) {
    core.crew.phase != .ended ? add(work) : work.abandon()
  }

  private func add(_ work: any ScheduledWork) {
    core.queue.push(work)
    let crew = core.crew
    if crew.needsCall {
      core.callIfNeeded(to: self)
    } else if crew.phase == .ended {
      // Shut down meanwhile: no worker looks at the queue any more.
      core.abandonIfCounted()
    }
  }

  /// Polls until work is scheduled here, there is something to do, or the worker has looked long enough:
  /// returns false if work is queued. At most half of the workers look at a time, unless they spin.
  public func linger(until isDone: () -> Bool) -> Bool {
    assert(
      core.crew.busy > 0,
      "weir: WorkerPool.linger(until:): no work of the pool is running; call it from inside a piece of work")
    if !core.queue.isEmpty { return false }
    if isDone() { return true }
    let idling = core.idling
    guard core.change({ $0.linger(idling) }) else { return false }
    let found = core.look(as: idling.lingering, until: isDone)
    let wasLastToLook = core.change { $0.stopLingering() }
    guard case .done = found else { return false }
    if wasLastToLook { wakeWorkers() }
    return true
  }

  /// Wakes a worker, if there is queued work and no worker would look for it.
  public func wakeWorkers() { core.callIfWaiting(to: self) }

  /// Ends the pool: refuses new work from now on, runs queued work until the deadline, and abandons the rest.
  ///
  /// Returns as soon as all work is done, and at the latest at the deadline, even if some work never returns;
  /// but the calls of ``ScheduledWork/abandon()`` come first. Threads end when their work does. Each piece of
  /// work is either run or abandoned, once. Work that waits for its time (``TimedScheduler``) is not counted:
  /// it is abandoned when it is due. A continuation of running work is not new (``Scheduler/lineUp(_:)``):
  /// values sent to a hop (``SignalConvertible/observe(on:_:waiting:failures:)``) before this call are
  /// delivered before the deadline, and work scheduled on a serial scheduler above is run.
  ///
  /// It may be called again, even concurrently: the earliest deadline counts, and all calls return the same
  /// report. Cancelling the task has no effect. The process's own pool can be shut down as well, and is
  /// unusable afterwards.
  ///
  /// - Parameter limit: how long to go on running queued work. Zero abandons it at once.
  /// - Returns: how much work was not run.
  ///
  /// ReactiveObjC has none.
  @discardableResult
  public nonisolated(nonsending) func shutdown(within limit: Duration) async -> ShutdownReport {
    core.close(self)
    return await core.settlement.report(within: limit) { [core] in core.expire() }
  }
}

extension Scheduler where Self == WorkerPool {
  /// The pool of the process; see ``WorkerPool/shared``.
  public static var pool: WorkerPool { .shared }
}
