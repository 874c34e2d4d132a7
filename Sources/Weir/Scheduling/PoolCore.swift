// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// What a pool and its workers share: the queue, the word that decides, and the word on which workers park.
/// It outlives both.
final class PoolCore: @unchecked Sendable {  // all state is in atomic words
  private let words: UnsafeMutablePointer<UInt64>
  let queue: WorkQueue
  let idling: IdlePolicy
  let settlement = Settlement()

  private static var queueOffset: Int { 16 }
  private static var wordCount: Int { queueOffset + WorkQueue.wordCount }

  /// - Parameter workers: how many will come.
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
  /// Moves with every call. On a cache line of its own.
  private var epoch: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(words + 8).assumingMemoryBound(to: UInt32.self)
  }

  var crew: Crew { Crew(bits: word.load()) }
  func change<Answer>(_ decide: (inout Crew) -> Answer) -> Answer { word.change(decide) }

  /// What came of looking for work.
  enum Finding { case work, done, nothing }

  /// Looks for work, for one who is counted as searching.
  func look(as search: IdlePolicy.Search, until isDone: () -> Bool = { false }) -> Finding {
    for _ in 0..<search.looks {
      // What waits goes first: otherwise a piece that always has something to do would keep it waiting.
      if !queue.isEmpty { return .work }
      if isDone() { return .done }
      for _ in 0..<search.pauses { weir_pause() }
    }
    return .nothing
  }

  /// Has somebody look at what waits, if anything does.
  func callIfWaiting(to pool: WorkerPool) { if !queue.isEmpty { callIfNeeded(to: pool) } }

  /// Calls a worker, unless somebody is looking for work. After work was added.
  func callIfNeeded(to pool: WorkerPool) {
    guard crew.needsCall else { return }
    // The reference that the worker will own must be there before it is called.
    let reference = Unmanaged.passRetained(pool)
    if change({ $0.call() }) { wake(1) } else { reference.release() }
  }

  /// Parks the calling worker, or has it spin: it is counted as sleeping, until one is called. Answers into
  /// which phase.
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

  /// From now on nothing is accepted, and workers end when the queue is empty.
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

  /// Abandons what was not begun, if the crew has not ended yet.
  func expire() {
    let isFirst = change { crew in
      guard crew.phase == .closing else { return false }
      crew.phase = .ended
      return true
    }
    if isFirst { settle() }
  }

  /// For the one who has ended the shutdown: whoever is not at work by now begins nothing any more.
  func settle() {
    let stillRunning = crew.atWork
    settlement.settle(ShutdownReport(notRun: abandonAll(), stillRunning: stillRunning))
  }

  /// Answers how many there were. All are taken out before the first is told, which may take long: workers
  /// would begin the others meanwhile.
  @discardableResult
  func abandonAll() -> Int {
    var waiting: [any ScheduledWork] = []
    while let work = queue.pop() { waiting.append(work) }
    for work in waiting { work.abandon() }
    return waiting.count
  }

  /// Nobody has the pool any more. Then there is no work either, and all workers sleep or have ended.
  func release() {
    let called = change { crew in
      guard crew.phase == .open else { return 0 }
      crew.phase = .released
      return crew.callAll()
    }
    wake(called)
  }
}
