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
    let isFirst = change { crew in
      guard crew.phase == .closing else { return false }
      crew.phase = .ended
      return true
    }
    if isFirst { settle() }
  }

  /// For the thread that has ended the shutdown: a worker that is not at work by now starts nothing any more.
  func settle() {
    let stillRunning = crew.atWork
    settlement.settle(ShutdownReport(notRun: abandonAll(), stillRunning: stillRunning))
  }

  /// Abandons all queued work, and returns how many pieces there were. All are taken out before the first is
  /// abandoned, which may take long: workers would start the others meanwhile.
  @discardableResult
  func abandonAll() -> Int {
    var waiting: [any ScheduledWork] = []
    while let work = queue.pop() { waiting.append(work) }
    for work in waiting { work.abandon() }
    return waiting.count
  }

  /// The pool is being deallocated. So there is no work, either, and all workers sleep or have ended.
  func release() {
    let called = change { crew in
      guard crew.phase == .open else { return 0 }
      crew.phase = .released
      return crew.callAll()
    }
    wake(called)
  }
}
