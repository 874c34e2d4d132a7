// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs work one piece at a time, first in, first out, on the threads of another scheduler, also of one that
/// runs several pieces at once.
///
/// It has no thread of its own. What is scheduled in a burst is handed to the other scheduler as one piece of
/// work, which runs up to 256 pieces and then lines up again, so that others get their turn. Handing over
/// allocates nothing. ``Schedulers/current`` is this scheduler while its work runs, not the one below.
///
/// The queue has no bound but memory, and what it once took stays with the scheduler. Scheduling waits for
/// nobody. A scheduler that nobody has any more runs what was scheduled; to end it earlier, or to know when
/// it has, call ``shutdown(within:)``. When the one below is shut down, this one is, too.
///
/// ReactiveObjC: `RACTargetQueueScheduler`; made without an argument, `+[RACScheduler scheduler]`.
public final class SerialScheduler: TimedScheduler, LingeringScheduler, @unchecked Sendable {
  // Unchecked: atomic words.
  private let words: UnsafeMutablePointer<UInt64>
  private let turn: WorkTurn
  private let target: any Scheduler
  /// The same, if it lingers.
  private let lingering: (any LingeringScheduler)?
  private let drain = Drain()
  private let settlement = Settlement()

  /// How many pieces are run before others get their turn.
  private static var portion: Int { 256 }

  /// A scheduler on top of another one.
  ///
  /// - Parameter target: whose threads run the work; the pool of the process, unless given.
  public init(on target: some Scheduler = .pool) {
    self.target = target
    lingering = target as? any LingeringScheduler
    words = weir_block_allocate(8 * WorkTurn.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = WorkTurn(words: words)
  }

  deinit {
    turn.destroy()
    weir_block_free(words, 8 * WorkTurn.wordCount)
  }

  /// Runs `work` after all that was scheduled before. Abandons it after ``shutdown(within:)``.
  public func enqueue(_ work: any ScheduledWork) {
    if turn.isClosed { return work.abandon() }
    if turn.push(work) { handOver { target.enqueue($0) } }
  }

  /// Runs `work`, which is running here, again after what waits, also during ``shutdown(within:)``. Abandons
  /// it when that is over. What waits for the scheduler below gets its turn before; between the rounds of
  /// ``Scheduler/scheduleRecursive(_:)``, as between other short pieces, only after 256 of them.
  public func lineUp(_ work: any ScheduledWork) {
    // The hand-over would cost more than the round.
    if isCurrent, !(work is RecursiveRounds) { turn.cutPortion() }
    // If it is idle, that comes from elsewhere, and is no new work for the scheduler below, either.
    if turn.push(work) { handOver { target.lineUp($0) } }
  }

  /// As the scheduler below, if that does, and no longer than until work is scheduled here, too: false if it
  /// is, or if this one was shut down.
  public func linger(until isDone: () -> Bool) -> Bool {
    var isWanted: Bool { turn.hasMore || turn.isClosed }
    if isWanted { return false }
    if isDone() { return true }
    guard let lingering else { return false }
    if lingering.linger(until: { isWanted || isDone() }) { return !isWanted }
    // The thread may be wanted: what comes now is run after that.
    turn.cutPortion()
    return false
  }

  /// Passes it on to the scheduler below.
  public func goOn() { lingering?.goOn() }

  /// Ends the scheduler: refuses new work from now on, runs what is waiting until the deadline, and abandons
  /// the rest.
  ///
  /// The report comes as soon as all work is done, at the latest at the deadline, also if some work never
  /// returns, or the scheduler below never gets to it; but what is abandoned is told so before. Each piece of
  /// work is either run or abandoned, once. Work that waits for its time (``TimedScheduler``) is not counted:
  /// it is abandoned when that comes. Work under way that goes on later is not new
  /// (``Scheduler/lineUp(_:)``): what was sent to a hop before this call is delivered before the deadline.
  /// The scheduler below is left alone.
  ///
  /// Calling it again, also at the same time, is fine: the earliest deadline counts, and all get the same
  /// report. The task's cancellation changes nothing.
  ///
  /// - Parameter limit: how long to go on with what is waiting. Zero abandons it at once.
  /// - Returns: what was not run.
  ///
  /// ReactiveObjC has none.
  @discardableResult
  public func shutdown(within limit: Duration) async -> ShutdownReport {
    close()
    return await settlement.report(within: limit) { [self] in settle(turn.end()) }
  }

  /// From now on nothing is accepted, and what waits is run.
  func close() {
    guard turn.close(), turn.take() else { return }
    if turn.isWaiting { handOver { target.enqueue($0) } } else { settle(turn.end()) }
  }

  private func settle(_ report: ShutdownReport?) {
    if let report { settlement.settle(report) }
  }

  private var rounds: RepeatedWork { RepeatedWork(turn.enqueuer) }

  /// For who has taken the turn: has the target run a portion.
  private func handOver(scheduling schedule: (Drain) -> Void) {
    drain.scheduler = self
    schedule(drain)
  }

  private func run() {
    if rounds.isLeftToLoop() { return }
    if runPortion() { rounds.next(scheduling: { target.lineUp(drain) }, performing: runPortion) }
  }

  /// For the holder of the turn, which it loses unless the answer is true: then there is more to run.
  private func runPortion() -> Bool {
    var isMore = false
    turn.beginPortion()
    performAsCurrent {
      var left = Self.portion
      while true {
        // Before it looks for the last time: what was accepted until it was closed is there then.
        let isClosed = turn.isClosed
        switch turn.run(atMost: &left, goingOn: goOn) {
        case .limit:
          isMore = true
          return
        case .ended(let report): return finish(report)
        case .empty where isClosed: return finish(turn.end())
        case .empty:
          drain.scheduler = nil
          if turn.leave() { return }
          drain.scheduler = self
        }
      }
    }
    return isMore
  }

  /// For the holder of the turn, who keeps it for ever.
  private func finish(_ report: ShutdownReport?) {
    drain.scheduler = nil
    settle(report)
  }

  /// What is handed to the target, once at a time. It holds the scheduler meanwhile.
  private final class Drain: ScheduledWork, @unchecked Sendable {
    // Unchecked: the reference belongs to the holder of the turn.
    @exclusivity(unchecked) var scheduler: SerialScheduler?

    func run() { scheduler?.run() }

    func abandon() {
      guard let scheduler else { return }
      scheduler.finish(scheduler.turn.end())
    }
  }
}
