// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// What each thread of a pool does. See ``Crew``.
struct PoolWorker: @unchecked Sendable {
  // Unchecked: the reference is counted by hand: a worker owns one while it does not sleep.
  let core: PoolCore
  let pool: Unmanaged<WorkerPool>

  /// Begins with searching, and ends with the pool.
  func serve() {
    var next = Crew.Idling.search
    while true {
      switch next {
      case .search:
        if case .work = core.look(as: core.idling.search) {
          next = runWork()
        } else {
          next = core.change { $0.giveUp() }
        }
      case .sleep:
        guard sleep() else { return }
        next = .search
      case .endShutdown:
        core.settle()
        next = .end
      case .end: return pool.release()
      }
    }
  }

  private func runWork() -> Crew.Idling {
    let wasLastToLook = core.change { $0.begin() }
    let pool = self.pool.takeUnretainedValue()
    pool.performAsCurrent {
      var next = core.queue.pop()
      if wasLastToLook { core.callIfWaiting(to: pool) }
      while let work = next.take() {
        work.run()
        next = core.crew.needsCall ? popAfterLingering(work, to: pool) : core.queue.pop()
      }
    }
    return core.change { [idling = core.idling] in $0.finish(idling) }
  }

  /// The next piece of work after one that may have lingered in vain: then nobody was called for what came meanwhile.
  private func popAfterLingering(_ work: any ScheduledWork, to pool: WorkerPool) -> (any ScheduledWork)? {
    // Releasing it will run code of users, perhaps.
    let address = Unmanaged<AnyObject>.passUnretained(work).toOpaque()
    if swift_isUniquelyReferenced_nonNull_native(address) { core.callIfWaiting(to: pool) }
    let next = core.queue.pop()
    if next != nil { core.callIfWaiting(to: pool) }
    return next
  }

  /// False if the pool is gone, and with it the worker's part in it.
  private func sleep() -> Bool {
    if !core.queue.isEmpty {
      // One reference too many, if another worker was called and will not be needed.
      if core.change({ $0.getUp() }) { pool.release() }
      return true
    }
    pool.release()
    return core.park() != .released
  }
}
