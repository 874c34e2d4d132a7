// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// A work queue, and what each thread took out of it.
private final class Queue: @unchecked Sendable {  // one thread runs at a time
  private final class Piece: ScheduledWork {
    let number: Int
    let token: Ledger.Token
    init(_ number: Int, _ token: Ledger.Token) {
      self.number = number
      self.token = token
    }
    func run() {}
  }

  private let words = Words(WorkQueue.wordCount)
  private let ledger = Ledger()
  private let queue: WorkQueue
  private var taken: [Int: [Int]] = [:]

  /// - Parameter recycled: how many nodes have been used before.
  init(recycled: Int) {
    queue = WorkQueue(words: words.words)
    for _ in 0..<recycled { push(0) }
    for _ in 0..<recycled { _ = queue.pop() }
  }

  func push(_ number: Int) { queue.push(Piece(number, ledger.make())) }

  func pop(as taker: Int) {
    if let piece = queue.pop() as? Piece { taken[taker, default: []].append(piece.number) }
  }

  func problem(pushed: [[Int]]) -> String? {
    for _ in 0..<pushed.joined().count { pop(as: .max) }
    let isEmpty = queue.isEmpty && queue.pop() == nil
    queue.destroy()
    if !isEmpty { return "the queue has more in it than was put there" }
    if taken.values.joined().sorted() != pushed.joined().sorted() { return "taken out: \(taken)" }
    for numbers in pushed {
      for taken in taken.values
      where taken.filter(numbers.contains) != taken.filter(numbers.contains).sorted() {
        return "out of order: \(taken)"
      }
    }
    return ledger.alive == 0 ? nil : "\(ledger.alive) are still there"
  }
}

extension Exploring {
  @Suite struct QueueSuite {
    private func push(_ number: Int) -> Operation<Queue> { Operation("push \(number)") { $0.push(number) } }
    private func pop(_ taker: Int) -> Operation<Queue> { Operation("pop") { $0.pop(as: taker) } }

    @Test(
      "a work queue returns each piece of work once and in each thread's order, also when nodes are reused")
    func workQueue() {
      expectSound(
        Scenario(
          "work queue: push and pop", setup: { Queue(recycled: 2) },
          threads: [[push(10), push(11)], [pop(1), pop(1)]], check: { $0.problem(pushed: [[10, 11]]) }),
      )
      expectSound(
        Scenario(
          "work queue: both push and pop", setup: { Queue(recycled: 1) },
          threads: [[push(10), pop(0)], [push(20), pop(1)]], check: { $0.problem(pushed: [[10], [20]]) }),
      )
      // A push that stalls before it moves the tail, until its node is used for the third time.
      expectSound(
        Scenario(
          "work queue: nodes come back", setup: { Queue(recycled: 0) },
          threads: [[push(10), push(11)], [push(20), pop(1), pop(1), push(21)]],
          check: { $0.problem(pushed: [[10, 11], [20, 21]]) }))
      expectSound(
        Scenario(
          "work queue: nodes come back twice", setup: { Queue(recycled: 0) },
          threads: [[push(10)], [push(20), pop(1), push(21), pop(1), push(22), pop(1)]],
          check: { $0.problem(pushed: [[10], [20, 21, 22]]) }))
      expectSound(
        Scenario(
          "work queue: two push, two pop", setup: { Queue(recycled: 2) },
          threads: [[push(10), push(11)], [push(20), push(21)], [pop(2), pop(2)], [pop(3), pop(3)]],
          check: { $0.problem(pushed: [[10, 11], [20, 21]]) }))
    }

    @Test(
      "a work queue loses no work if a thread stalls as it helps another and its node is made ready for reuse"
    )
    func helper() {
      let busy = [push(20), pop(1), push(21), pop(1), push(22)]
      expectSound(
        Scenario(
          "work queue: a node comes back to a push that helps", setup: { Queue(recycled: 0) },
          threads: [[push(10)], busy], check: { $0.problem(pushed: [[10], [20, 21, 22]]) }))
      expectSound(
        Scenario(
          "work queue: a node comes back to a pop that helps", setup: { Queue(recycled: 0) },
          threads: [[pop(2)], busy], check: { $0.problem(pushed: [[20, 21, 22]]) }))
    }
  }
}
