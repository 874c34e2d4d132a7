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
  private var hasMissed = false

  /// - Parameters:
  ///   - recycled: how many nodes have been used before.
  ///   - ahead: what is in the queue.
  init(recycled: Int, ahead: [Int] = []) {
    queue = WorkQueue(words: words.words)
    for _ in 0..<recycled { push(0) }
    for _ in 0..<recycled { _ = queue.pop() }
    for number in ahead { push(number) }
  }

  func push(_ number: Int) { queue.push(Piece(number, ledger.make())) }

  func pop(as taker: Int) {
    if let piece = queue.pop() as? Piece { taken[taker, default: []].append(piece.number) }
  }

  /// The same where there must be something.
  func popPresent(as taker: Int) {
    let count = taken[taker, default: []].count
    pop(as: taker)
    if taken[taker, default: []].count == count { hasMissed = true }
  }

  /// Looks at the queue where there must be something in it.
  func lookAtPresent() { if queue.isEmpty { hasMissed = true } }

  func problem(pushed: [[Int]]) -> String? {
    if hasMissed { return "the queue was found empty, and was not" }
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

    @Test(
      "a work queue is not found empty while there is work in it, although the end that was loaded is reused")
    func present() {
      // The other thread takes out less than was there before, and uses the first node again.
      let reuse = [pop(1), push(20)]
      let popPresent = Operation<Queue>("pop, of several") { $0.popPresent(as: 0) }
      let look = Operation<Queue>("look") { $0.lookAtPresent() }
      expectSound(
        Scenario(
          "work queue: pop while a node comes back", setup: { Queue(recycled: 0, ahead: [10, 11]) },
          threads: [[popPresent], reuse], check: { $0.problem(pushed: [[10, 11], [20]]) }))
      expectSound(
        Scenario(
          "work queue: look while a node comes back", setup: { Queue(recycled: 0, ahead: [10, 11]) },
          threads: [[look], reuse], check: { $0.problem(pushed: [[10, 11], [20]]) }))
      // What was pushed is there as soon as the push returns. The node that this found at the end is made
      // ready to be pushed again.
      expectSound(
        Scenario(
          "work queue: push while a node comes back, and look", setup: { Queue(recycled: 3) },
          threads: [[push(10), look], [push(20), pop(1), push(21)]],
          check: { $0.problem(pushed: [[10], [20, 21]]) }), effort: 4)
    }
  }
}
