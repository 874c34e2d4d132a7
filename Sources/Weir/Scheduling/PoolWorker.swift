// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What each thread of a pool does. See ``Crew``.
struct PoolWorker: @unchecked Sendable {
  // Unchecked: the reference is counted by hand: a worker owns one while it is not sleeping.
  let core: PoolCore
  let pool: Unmanaged<WorkerPool>

  /// Starts with searching, and ends with the pool.
  func serve() {
    var next = Crew.Idling.search
    while true {
      switch next {
      case .search: next = search()
      case .sleep:
        guard sleep() else { return }
        next = .search
      case .endShutdown:
        core.settle(stillRunning: 0)
        next = .end
      case .end: return pool.release()
      }
    }
  }

  private func search() -> Crew.Idling {
    let phase = core.crew.phase
    // Work that comes while the pool is closing comes from busy workers, which look for it themselves.
    let search = phase == .closing ? .once : core.idling.search
    guard case .work = core.look(as: search), let next = runWork() else {
      return core.change { $0.giveUp(after: phase) }
    }
    return next
  }

  /// Runs queued work. nil if the shutdown has ended, so that nothing is started any more.
  private func runWork() -> Crew.Idling? {
    guard let wasLastToLook = core.change({ $0.begin() }) else { return nil }
    let pool = self.pool.takeUnretainedValue()
    pool.performAsCurrent {
      var next = core.queue.pop()
      if wasLastToLook { core.callIfWaiting(to: pool) }
      while let work = next.take() {
        work.run()
        next = takeNext(after: consume work, to: pool)
      }
    }
    return core.change { [idling = core.idling] in $0.finish(idling) }
  }

  /// Releases a piece of work, and takes the next one.
  private func takeNext(after work: consuming any ScheduledWork, to pool: WorkerPool) -> (any ScheduledWork)?
  {
    // It may have lingered in vain: then no worker was called for work that came meanwhile.
    let mayBeMissed = core.crew.needsCall
    // Releasing it may run user code.
    if mayBeMissed, isLastReference(work) { core.callIfWaiting(to: pool) }
    _ = consume work
    // After the end nothing is started; what is queued is abandoned.
    if core.crew.phase == .ended { return nil }
    let next = core.queue.pop()
    if mayBeMissed, next != nil { core.callIfWaiting(to: pool) }
    return next
  }

  /// False if the pool is gone, so that the worker owns no reference to it.
  private func sleep() -> Bool {
    if !core.queue.isEmpty {
      // One reference is too many if this worker takes the place of one that was called.
      if core.change({ $0.getUp() }) { pool.release() }
      return true
    }
    pool.release()
    return core.park() != .released
  }
}
