// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What the parts of the test kit have in common, counters of resources, and threads.
struct TestKitTests {
  @Test(
    "recorded events, diagrams, their marks and mistakes, intervals and problems may be elements of a set")
  func hashing() throws {
    func distinct<Element: Hashable>(_ elements: Element...) -> Int { Set(elements).count }
    #expect(
      distinct(Recorded<Int, Oops>(.zero, .next(1)), .init(.zero, .next(1)), .init(.zero, .completed)) == 2)
    #expect(distinct(try Marbles("-a"), try Marbles("-a"), try Marbles("-b")) == 2)
    #expect(distinct(Marbles.Mark.value("a"), .value("a"), .completed) == 2)
    #expect(distinct(Marbles.Placed(1, .failed), .init(1, .failed), .init(2, .failed)) == 2)
    let errors = ["-)", "-)", ")"].compactMap { diagram in
      #expect(throws: MarbleError.self) { try Marbles(diagram) }
    }
    #expect(Set(errors).count == 2)
    let interval = try SubscriptionInterval("-^-!")
    #expect(distinct(interval, try SubscriptionInterval("-^-!"), try SubscriptionInterval("-^")) == 2)
    #expect(distinct(Problem("one"), Problem("one"), Problem("two")) == 2)
  }

  @Test("Resources counts the objects that are alive")
  func resources() {
    let resources = Resources()
    var kept: [Resources.Resource] = [resources.make(), resources.make()]
    #expect(resources.alive == 2)
    kept.removeLast()
    #expect(resources.alive == 1)
    kept.removeAll()
    #expect(resources.alive == 0)
  }

  @Test("withThreads runs each thread once, all at the same time, and waits for them")
  func threads() {
    let (here, doors) = (Counter(), [Door(), Door()])
    withThreads(2) { index in
      // Each waits for the other: one after the other would never end.
      doors[1 - index].open()
      doors[index].pass()
      here.add()
    }
    #expect(here.value == 2)
  }
}
