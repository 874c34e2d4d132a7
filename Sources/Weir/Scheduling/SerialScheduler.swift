// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs work one piece at a time, first in, first out, on the threads of another scheduler, even of one that
/// runs several pieces at once.
///
/// It has no thread of its own. Work that is scheduled in a burst is handed to the other scheduler as one
/// piece of work, which runs up to 256 pieces and then lines up again, so that other work gets its turn.
/// Handing over allocates nothing. ``Schedulers/current`` is this scheduler while its work runs, not the one
/// below.
///
/// The queue is bounded only by memory, and the memory that it once needed stays with the scheduler.
/// Scheduling never waits. A scheduler that has been released runs what was scheduled; to end it earlier, or
/// to know when it has finished, call ``shutdown(within:)``. A pending timer retains its scheduler. When the
/// one below is shut down, this one ends too. If it is running work then, it goes on for up to 256 pieces,
/// which no report counts.
///
/// ReactiveObjC: `RACTargetQueueScheduler`; without an argument, `+[RACScheduler scheduler]`.
public final class SerialScheduler: TimedScheduler, LingeringScheduler, @unchecked Sendable {
  // Unchecked: atomic words.
  private let words: UnsafeMutablePointer<UInt64>
  private let turn: WorkTurn
  private let target: any Scheduler
  /// The target, if it is a lingering scheduler.
  private let lingeringTarget: (any LingeringScheduler)?
  private let targetWork = TargetWork()
  private let settlement = Settlement()

  /// How many pieces are run before other work of the target gets its turn.
  private static var portion: Int { 256 }

  /// Creates a scheduler on top of another one.
  ///
  /// Its clock is the `ContinuousClock`, whatever the one below waits by: on a `VirtualScheduler` of
  /// WeirTesting its timers measure real time. A test passes the `VirtualScheduler` itself, which is serial,
  /// to code that takes `any TimedScheduler`.
  ///
  /// - Parameter target: the scheduler whose threads run the work; by default the pool of the process.
  public init(on target: some Scheduler = .pool) {
    self.target = target
    lingeringTarget = target.lingering
    words = weir_block_allocate(8 * WorkTurn.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = WorkTurn(words: words)
  }

  deinit {
    turn.destroy()
    weir_block_free(words, 8 * WorkTurn.wordCount)
  }

  /// Runs `work` after all work that was scheduled before. Abandons it after ``shutdown(within:)``.
  public func enqueue(_ work: any ScheduledWork) {
    if turn.isClosed { return work.abandon() }
    if turn.push(work) { handOver { target.enqueue($0) } }
  }

  /// Runs `work`, which is running here, again after the work that is queued, even during
  /// ``shutdown(within:)``; abandons it when that is over. Work of the scheduler below comes first.
  /// Exception: rounds of ``Scheduler/scheduleRecursive(_:)``, like other short pieces, give way only after
  /// 256.
  public func lineUp(_ work: any ScheduledWork) {
    // Handing over would cost more than the round.
    if isCurrent, !(work is RecursiveRounds) { turn.cutPortion() }
    // If this scheduler is idle, the call comes from elsewhere, and is no new work for the scheduler below,
    // either.
    if turn.push(work) { handOver { target.lineUp($0) } }
  }

  /// Lingers on the scheduler below, if that is a lingering one, until work is scheduled here at the latest:
  /// returns false if work is queued here, or if this scheduler was shut down.
  public func linger(until isDone: () -> Bool) -> Bool {
    var isWanted: Bool { turn.hasMore || turn.isClosed }
    if isWanted { return false }
    if isDone() { return true }
    guard let lingeringTarget else { return false }
    if lingeringTarget.linger(until: { isWanted || isDone() }) { return !isWanted }
    // The thread may be needed for other work: what is pending here is run after that.
    turn.cutPortion()
    return false
  }

  /// Forwards the call to the scheduler below.
  public func wakeWorkers() { lingeringTarget?.wakeWorkers() }

  /// Ends the scheduler: refuses new work from now on, runs queued work until the deadline, and abandons the
  /// rest.
  ///
  /// Returns as soon as all work is done, and at the latest at the deadline, even if some work never returns,
  /// or the scheduler below never gets to it; but the calls of ``ScheduledWork/abandon()`` come first. Each
  /// piece of work is either run or abandoned, once. Work that waits for its time (``TimedScheduler``) is not
  /// counted: it is abandoned when it is due. A continuation of running work is not new
  /// (``Scheduler/lineUp(_:)``): values sent to a hop (``SignalConvertible/observe(on:_:waiting:failures:)``)
  /// before this call are delivered before the deadline. The scheduler below is left alone.
  ///
  /// It may be called again, even concurrently: the earliest deadline counts, and all calls return the same
  /// report. Cancelling the task has no effect.
  ///
  /// - Parameter limit: how long to go on running queued work. Zero abandons it at once.
  /// - Returns: how much work was not run.
  ///
  /// ReactiveObjC has none.
  @discardableResult
  public nonisolated(nonsending) func shutdown(within limit: Duration) async -> ShutdownReport {
    close()
    return await settlement.report(within: limit) { [self] in settle(turn.end()) }
  }

  /// Refuses new work from now on, and has queued work run.
  func close() {
    guard turn.close(), turn.take() else { return }
    if turn.isWaiting { handOver { target.enqueue($0) } } else { settle(turn.end()) }
  }

  private func settle(_ report: ShutdownReport?) {
    if let report { settlement.settle(report) }
  }

  private var rounds: RoundLoop { RoundLoop(turn.enqueuer) }

  /// For the thread that has taken the turn: has the target run a portion.
  private func handOver(scheduling schedule: (TargetWork) -> Void) {
    targetWork.scheduler = self
    schedule(targetWork)
  }

  private func run() {
    if rounds.isLeftToLoop() { return }
    if runPortion() { rounds.next(scheduling: { target.lineUp(targetWork) }, performing: runPortion) }
  }

  /// For the holder of the turn, which loses it unless this returns true: then there is more to run.
  private func runPortion() -> Bool {
    var isMore = false
    turn.beginPortion()
    performAsCurrent {
      var left = Self.portion
      while true {
        // Read before the last look at the queue: work that was accepted until the closing is there then.
        let isClosed = turn.isClosed
        switch turn.run(atMost: &left, waking: wakeWorkers) {
        case .limit:
          isMore = true
          return
        case .ended(let report): return finish(report)
        case .empty where isClosed: return finish(turn.end())
        case .empty:
          targetWork.scheduler = nil
          if turn.leave() { return }
          targetWork.scheduler = self
        }
      }
    }
    return isMore
  }

  /// For the holder of the turn, which keeps it for ever.
  private func finish(_ report: ShutdownReport?) {
    targetWork.scheduler = nil
    settle(report)
  }

  /// The piece of work that is handed to the target, once at a time. It retains the scheduler meanwhile.
  private final class TargetWork: ScheduledWork, @unchecked Sendable {
    // Unchecked: the reference belongs to the holder of the turn.
    @exclusivity(unchecked) var scheduler: SerialScheduler?

    func run() { scheduler?.run() }

    func abandon() {
      guard let scheduler else { return }
      scheduler.finish(scheduler.turn.end())
    }
  }
}
