// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct WorkQueueTests {
  private final class Numbered: ScheduledWork {
    let number: Int
    private let token: Resources.Resource?
    init(_ number: Int, _ token: Resources.Resource? = nil) {
      self.number = number
      self.token = token
    }
    func run() {}
  }

  private func withQueue(_ body: (WorkQueue) -> Void) {
    withWords(WorkQueue.wordCount) { words in
      let queue = WorkQueue(words: words)
      body(queue)
      queue.destroy()
    }
  }

  private func number(_ work: (any ScheduledWork)?) -> Int? { (work as? Numbered)?.number }

  @Test("work is popped in the order in which it was pushed")
  func order() {
    withQueue { queue in
      #expect(queue.isEmpty && queue.pop() == nil)
      for round in 0..<3 {
        for item in 0..<100 { queue.push(Numbered(100 * round + item)) }
        #expect(!queue.isEmpty)
        for item in 0..<100 { #expect(number(queue.pop()) == 100 * round + item) }
        #expect(queue.isEmpty && queue.pop() == nil)
      }
    }
  }

  @Test("pushing and popping repeatedly takes no new nodes")
  func steadyState() {
    withQueue { queue in
      func round() {
        for item in 0..<50 { queue.push(Numbered(item)) }
        while queue.pop() != nil {}
      }
      round()
      let used = queue.nodes.used.load()
      for _ in 0..<1_000 { round() }
      #expect(queue.nodes.used.load() == used)
    }
  }

  @Test("a queue retains work until it is popped, and releases what is left when it is destroyed")
  func references() {
    let resources = Resources()
    withQueue { queue in
      for item in 0..<10 { queue.push(Numbered(item, resources.make())) }
      #expect(resources.alive == 10)
      for item in 0..<4 {
        let work = queue.pop()
        #expect(number(work) == item && resources.alive == 10 - item)
      }
      #expect(resources.alive == 6)
    }
    #expect(resources.alive == 0)
  }

  @Test("WorkBits retain the work until it is taken")
  func bits() {
    let resources = Resources()
    do {
      let bits = WorkBits(owning: Numbered(7, resources.make()))
      #expect(resources.alive == 1)
      #expect(number(bits.taken()) == 7)
    }
    #expect(resources.alive == 0)
  }
}
