// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// What a pool and its workers share: the queue, the word of the ``Crew``, and the word on which workers
/// park. It outlives both.
final class PoolCore: @unchecked Sendable {  // all state is in atomic words
  private let words: UnsafeMutablePointer<UInt64>
  let queue: WorkQueue
  let idling: IdlePolicy
  let settlement = Settlement()

  private static var queueOffset: Int { 16 }
  private static var wordCount: Int { queueOffset + WorkQueue.wordCount }

  /// - Parameter workers: how many will be started.
  init(workers: Int, idling: IdlePolicy) {
    self.idling = idling
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    queue = WorkQueue(words: words + Self.queueOffset)
    var crew = Crew(bits: 0)
    crew.searching = workers
    word.storeRelaxed(crew.bits)
  }

  deinit {
    queue.destroy()
    weir_block_free(words, 8 * Self.wordCount)
  }

  private var word: AtomicWord { AtomicWord(words) }
  /// 1 when the shutdown has counted what it abandons: those who add work abandon what is there from then on.
  private var counted: AtomicWord { AtomicWord(words + 1) }
  /// Changes with every call of a worker. On a cache line of its own.
  private var epoch: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(words + 8).assumingMemoryBound(to: UInt32.self)
  }

  var crew: Crew { Crew(bits: word.load()) }
  func change<Answer>(_ decide: (inout Crew) -> Answer) -> Answer { word.change(decide) }

  /// The result of looking for work.
  enum Finding { case work, done, nothing }

  /// Looks for work, for a worker that is counted as searching.
  func look(as search: IdlePolicy.Search, until isDone: () -> Bool = { false }) -> Finding {
    for _ in 0..<search.looks {
      // Queued work goes first: otherwise a piece that always has something to do would keep it waiting.
      if !queue.isEmpty { return .work }
      if isDone() { return .done }
      weir_pause_for(search.pause)
    }
    return .nothing
  }

  /// Has a worker look at the queue, unless that is empty.
  func callIfWaiting(to pool: WorkerPool) { if !queue.isEmpty { callIfNeeded(to: pool) } }

  /// Calls a worker, unless one is looking for work. To be called after work was added.
  func callIfNeeded(to pool: WorkerPool) {
    guard crew.needsCall else { return }
    // The reference that the worker will own must exist before it is called.
    let reference = Unmanaged.passRetained(pool)
    if change({ $0.call() }) { wake(1) } else { reference.release() }
  }

  /// Parks the calling worker, or has it spin: it counts as sleeping, until one is called. Returns the phase
  /// that it wakes to.
  func park() -> Crew.Phase {
    while true {
      let noted = weir_load_seq_cst_u32(epoch)
      if let phase = change({ $0.answerCall() }) { return phase }
      switch idling {
      case .parking: weir_wait_while(epoch, noted, -1)
      case .spinning: while weir_load_relaxed_u32(epoch) == noted { weir_pause() }
      }
    }
  }

  private func wake(_ count: Int) {
    weir_add_seq_cst_u32(epoch, 1)
    if idling == .parking { weir_wake(epoch, Int32(count)) }
  }

  /// Refuses new work from now on; workers end when the queue is empty.
  func close(_ pool: WorkerPool) {
    let reference = Unmanaged.passUnretained(pool)
    while true {
      let before = crew
      guard before.phase == .open else { return }
      var after = before
      after.phase = .closing
      let called = after.callAll()
      for _ in 0..<called { _ = reference.retain() }
      if word.compareExchange(before.bits, after.bits) { return wake(called) }
      for _ in 0..<called { reference.release() }
    }
  }

  /// Abandons work that has not started, if the crew has not ended yet.
  func expire() {
    let atWork: Int? = change { crew in
      guard crew.phase == .closing else { return nil }
      crew.phase = .ended
      return crew.atWork
    }
    if let atWork { settle(stillRunning: atWork) }
  }

  /// For the thread that has ended the shutdown: abandons queued work, and reports. Those who add work
  /// meanwhile leave it to this thread, so all that was queued at the end is counted.
  ///
  /// - Parameter stillRunning: how many workers were at work at the end. No other one starts anything.
  func settle(stillRunning: Int) {
    // All is taken out before the first is abandoned, which may take long.
    var waiting = takeAll()
    _ = counted.exchange(1)
    waiting += takeAll()
    for work in waiting { work.abandon() }
    settlement.settle(ShutdownReport(notRun: waiting.count, stillRunning: stillRunning))
  }

  /// For a thread that has added work: abandons queued work, if the shutdown does not do that any more.
  func abandonIfCounted() {
    guard counted.load() != 0 else { return }
    for work in takeAll() { work.abandon() }
  }

  private func takeAll() -> [any ScheduledWork] {
    var waiting: [any ScheduledWork] = []
    while let work = queue.pop() { waiting.append(work) }
    return waiting
  }

  /// The pool is being deallocated. So there is no work, either, and all workers sleep, or have ended: none
  /// sleeps from the closing on.
  func release() {
    let called = change { crew in
      crew.phase = .released
      return crew.callAll()
    }
    wake(called)
  }
}
