// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct DeliveryTurnTests {
  private func withTurn<Item>(of type: Item.Type, _ body: (DeliveryTurn<Item>) -> Void) {
    withWords(DeliveryTurn<Item>.wordCount) { words in
      let turn = DeliveryTurn<Item>(words: words)
      body(turn)
      turn.destroy()
    }
  }

  @Test("a turn has one holder at a time")
  func exclusive() {
    withTurn(of: Int.self) { turn in
      #expect(turn.enter(as: 7))
      #expect(turn.token.load() == 7)
      #expect(!turn.enter(as: 8))
      turn.leave()
      #expect(turn.token.load() == 0)
      #expect(turn.enter(as: 8))
      turn.leave()
    }
  }

  @Test("enter(as:) fails until posted items are delivered, so that nothing overtakes them")
  func noOvertaking() {
    withTurn(of: Int.self) { turn in
      turn.post(1)
      #expect(turn.isWaiting)
      #expect(!turn.enter(as: 1))
      turn.deliverWaiting(as: 1) { _ in }
      #expect(!turn.isWaiting)
      #expect(turn.enter(as: 1))
      turn.leave()
    }
  }

  @Test("items are delivered in the order of posting, including those posted during a delivery")
  func order() {
    withTurn(of: Int.self) { turn in
      var delivered = [Int]()
      for item in 0..<5 { turn.post(item) }
      turn.deliverWaiting(as: 1) { item in
        #expect(turn.token.load() == 1)
        delivered.append(item)
        if item < 5 { turn.post(item + 10) }
      }
      #expect(delivered == [0, 1, 2, 3, 4, 10, 11, 12, 13, 14])
      #expect(turn.token.load() == 0)
    }
  }

  @Test("the number of posted items follows from that of delivered ones, also beyond 32 bits")
  func posted() {
    withTurn(of: Int.self) { turn in
      let many: UInt64 = 5 << 32 - 2
      turn.inbox.storeRelaxed(many << 32)
      #expect(turn.posted(since: many) == many)
      for count in 1...4 as ClosedRange<UInt64> {
        turn.post(0)
        #expect(turn.posted(since: many) == many + count)
      }
      // Emptying the inbox counts nothing.
      turn.deliverWaiting(as: 1) { _ in }
      #expect(turn.posted(since: many) == many + 4)
      #expect(turn.posted(since: many + 4) == many + 4)
    }
  }

  @Test("a nested delivery leaves its items to the outer one")
  func nested() {
    withTurn(of: Int.self) { turn in
      var log = [String]()
      turn.post(0)
      turn.deliverWaiting(as: 1) { item in
        log.append("begin \(item)")
        if item == 0 {
          turn.post(1)
          turn.deliverWaiting(as: 1) { _ in log.append("nested") }
        }
        log.append("end \(item)")
      }
      #expect(log == ["begin 0", "end 0", "begin 1", "end 1"])
    }
  }

  @Test("an item posted while the turn is taken is delivered by its holder")
  func heldByAnother() {
    withTurn(of: Int.self) { turn in
      var delivered = [Int]()
      #expect(turn.enter(as: 1))
      turn.post(1)
      turn.deliverWaiting(as: 2) { _ in Issue.record("delivered by one who has not the turn") }
      turn.leave()
      turn.deliverWaiting(as: 1) { delivered.append($0) }
      #expect(delivered == [1])
    }
  }

  @Test("posting and delivering repeatedly takes no new nodes")
  func steadyState() {
    withTurn(of: Int.self) { turn in
      func round() {
        for item in 0..<50 { turn.post(item) }
        turn.deliverWaiting(as: 1) { item in if item < 50 { turn.post(item + 50) } }
      }
      round()
      let used = turn.nodes.used.load()
      #expect(used > 0)
      for _ in 0..<1_000 { round() }
      #expect(turn.nodes.used.load() == used)
    }
  }

  @Test("items are moved out on delivery, and undelivered ones are released when the turn is destroyed")
  func items() {
    let resources = Resources()
    withTurn(of: Resources.Resource.self) { turn in
      for _ in 0..<3 { turn.post(resources.make()) }
      #expect(resources.alive == 3)
      var left = 3
      turn.deliverWaiting(as: 1) { _ in left -= 1 }
      #expect((left, resources.alive) == (0, 0))
      for _ in 0..<3 { turn.post(resources.make()) }
    }
    #expect(resources.alive == 0)
  }

  @Test("entering an uncontended turn takes no node")
  func uncontended() {
    withTurn(of: Int.self) { turn in
      for _ in 0..<10 where turn.enter(as: 1) { turn.leave() }
      #expect(turn.nodes.used.load() == 0)
    }
  }
}
