// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

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

  @Test("a thread that pops work from a work queue sees the work whole")
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

  private final class Pool: @unchecked Sendable {  // the pool is for any thread
    private let words = Words(NodePool<Void, Parcel>.wordCount)
    let pool: NodePool<Void, Parcel>

    init() { pool = NodePool(words: words.words) }
    deinit { pool.destroy() }

    func use(_ count: Int) -> [UInt32] {
      let numbers = (0..<count).map { _ in pool.take() }
      for number in numbers {
        let element = pool.element(of: number)
        element.initialize(to: Parcel())
        // A plain store, which is seen whatever the library does.
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: Int.self)[1] = 1
        pool.setNext(of: number, to: 0)
        element.deinitialize(count: 1)
      }
      return numbers
    }
  }

  @Test(
    "the nodes of a pool can be used by the thread that takes them, also in a chunk that another has just allocated"
  )
  func nodePool() {
    expectOrdered(
      setup: { Pool() },
      [
        { it in _ = it.use(8) },
        { it in for number in it.use(2) { it.pool.giveBack(number, through: number) } },
      ])
  }
}
