// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing

@testable import Weir

/// Words on a cache line of their own.
private final class Words: @unchecked Sendable {  // accessed atomically
  let words: UnsafeMutablePointer<UInt64>
  private let count: Int

  init(_ count: Int) {
    self.count = count
    words = weir_block_allocate(8 * count).assumingMemoryBound(to: UInt64.self)
  }
  deinit { weir_block_free(words, 8 * count) }
}

/// Work that touches itself, and what all work of a scheduler may touch.
private final class Piece: ScheduledWork {
  private let (own, shared): (Unguarded, Unguarded)
  init(_ shared: Unguarded = Unguarded()) { (own, self.shared) = (Unguarded(), shared) }

  func run() {
    own.touch()
    shared.touch()
  }
  func abandon() { own.touch() }
}

extension Stress.Orders {
  private final class Queue: Sendable {
    private let words = Words(WorkQueue.wordCount)
    let queue: WorkQueue

    init() {
      queue = WorkQueue(words: words.words)
      for _ in 0..<5 { queue.push(Piece()) }
      for _ in 0..<4 { queue.pop()?.run() }
    }
    deinit { queue.destroy() }
  }

  @Test("a work queue hands over what it holds, with its memory")
  func workQueue() {
    expectOrdered(
      setup: { Queue() },
      [
        { it in it.queue.push(Piece()) },
        { it in it.queue.pop()?.run() },
        { it in
          it.queue.push(Piece())
          it.queue.pop()?.run()
          it.queue.pop()?.run()
          it.queue.push(Piece())
        },
      ])
  }

  private final class Turn: Sendable {
    private let words = Words(WorkTurn.wordCount)
    let shared = Unguarded()
    let turn: WorkTurn

    init() {
      turn = WorkTurn(words: words.words)
      for _ in 0..<4 { push() }
    }
    deinit { turn.destroy() }

    func push() { if turn.push(Piece(shared)) { run() } }

    /// What a serial scheduler does with the turn.
    private func run() {
      while true {
        var left = 8
        switch turn.run(atMost: &left) {
        case .limit: continue
        case .empty: if turn.leave() { return }
        case .ended: return
        }
      }
    }
  }

  @Test("work of a serial scheduler sees what the work before it did; abandoned work is seen whole")
  func workTurn() {
    expectOrdered(
      setup: { Turn() },
      [
        { it in it.push() },
        { it in for _ in 0..<2 { it.push() } },
        { it in _ = it.turn.end() },
      ])
  }

  private final class Pool: @unchecked Sendable {  // the pool is for any thread
    private let words = Words(NodePool<Int>.wordCount)
    let pool: NodePool<Int>

    init() { pool = NodePool(words: words.words) }
    deinit { pool.destroy() }

    func use(_ count: Int) -> [UInt32] {
      let numbers = (0..<count).map { _ in pool.take() }
      for number in numbers {
        pool.element(of: number).initialize(to: 1)
        pool.setNext(of: number, to: 0)
      }
      return numbers
    }
  }

  @Test(
    "the nodes of a pool can be used by whoever got them, also in a chunk that another thread has just made")
  func nodePool() {
    expectOrdered(
      setup: { Pool() },
      [
        { it in _ = it.use(3) },
        { it in for number in it.use(2) { it.pool.giveBack(number, through: number) } },
      ])
  }

  private final class Cell: Sendable {
    private let words = Words(1 + PinnedCell<Unguarded>.wordCount)
    let cell: PinnedCell<Unguarded>

    init() {
      cell = PinnedCell(current: words.words, words: words.words + 1)
      cell.publishFirst(Unguarded())
      for _ in 0..<4 { cell.update { $0 = Unguarded() } }
    }
    deinit { cell.destroy() }

    func read() -> Int {
      let (block, _) = cell.pin(reclaim: cell.recycle)
      defer { if cell.unpin(block) { cell.recycle(block) } }
      return block.payload.pointee.touches
    }
  }

  @Test("what a pinned cell holds is read whole, and is released after the last who read it")
  func pinnedCell() {
    expectOrdered(
      setup: { Cell() },
      [
        { it in _ = it.read() },
        { it in it.cell.update { $0 = Unguarded(1) } },
        { it in for number in 0..<3 { it.cell.update { $0 = Unguarded(number) } } },
      ])
  }

  private final class Value: Sendable {
    private let words = Words(ValueCell<Unguarded>.wordCount)
    let cell: ValueCell<Unguarded>

    init() {
      cell = ValueCell(words: words.words)
      cell.publishFirst(Unguarded())
    }
    deinit { cell.destroy() }
  }

  @Test("what a value cell holds is read whole")
  func valueCell() {
    expectOrdered(
      setup: { Value() },
      [
        { it in _ = it.cell.load().touches },
        { it in _ = it.cell.loadVersioned().value.touches },
        { it in _ = it.cell.exchange(Unguarded(1)).touches },
        { it in _ = it.cell.compareExchange(it.cell.loadVersioned().version, Unguarded(2)) },
      ])
  }
}
