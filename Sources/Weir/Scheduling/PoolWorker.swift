// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// What each thread of a pool does. See ``Crew``.
struct PoolWorker: @unchecked Sendable {
  // Unchecked: the reference is counted by hand: a worker owns one while it does not sleep.
  let core: PoolCore
  let pool: Unmanaged<WorkerPool>

  /// How long a worker searches before it parks: so often it looks, so many pauses in between. About 5 µs where it was measured.
  private static var looks: Int { 50 }
  private static var pauses: Int { 4 }

  /// Begins with searching, and ends with the pool.
  func serve() {
    var next = Crew.Idling.search
    while true {
      switch next {
      case .search: next = seesWork() ? runWork() : core.change { $0.giveUp() }
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

  private func seesWork() -> Bool {
    for _ in 0..<Self.looks {
      if !core.queue.isEmpty { return true }
      for _ in 0..<Self.pauses { weir_pause() }
    }
    return false
  }

  private func runWork() -> Crew.Idling {
    let wasLastToLook = core.change { $0.begin() }
    let pool = self.pool.takeUnretainedValue()
    pool.performAsCurrent {
      var next = core.queue.pop()
      if wasLastToLook, !core.queue.isEmpty { core.callIfNeeded(to: pool) }
      while let work = next {
        work.run()
        next = core.queue.pop()
      }
    }
    return core.change { $0.finish() }
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
