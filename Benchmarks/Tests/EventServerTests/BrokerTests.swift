// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventServer
import NIOCore
import NIOPosix
import Synchronization
import Testing

@Suite("Brokers")
struct BrokerTests {
  @Test(
    "Each connection receives the events of its topics, in order", arguments: BrokerKind.allCases)
  func delivery(_ kind: BrokerKind) async throws {
    try await withLoops { loops in
      let broker = kind.broker(on: loops, waiting: 4_096)
      let (one, two) = (TestOutlet(on: loops[0]), TestOutlet(on: loops[1]))
      try await one.join(broker, "a", "b")
      try await two.join(broker, "b")
      for number in 0..<100 {
        publish("\(number)", to: "a", by: broker)
        publish("\(number)", to: "b", by: broker)
        publish("\(number)", to: "nobody", by: broker)
      }
      let both = try await one.lines(atLeast: 200)
      for topic in ["a", "b"] {
        #expect(both.filter { $0.hasPrefix("EVENT \(topic) ") } == (0..<100).map { "EVENT \(topic) \($0)" })
      }
      #expect(both.count == 200)
      #expect(try await two.lines(atLeast: 100) == (0..<100).map { "EVENT b \($0)" })
      try await one.leave()
      try await two.leave()
    }
  }

  @Test(
    "A connection that unsubscribes receives nothing more, and the last one removes the topic",
    arguments: BrokerKind.allCases)
  func unsubscribing(_ kind: BrokerKind) async throws {
    try await withLoops { loops in
      let broker = kind.broker(on: loops, waiting: 4_096)
      let (one, two) = (TestOutlet(on: loops[0]), TestOutlet(on: loops[1]))
      try await one.join(broker, "a")
      try await two.join(broker, "a", "b")
      #expect(broker.topicCount == 2)
      #expect(try await one.withMember { $0.subscribe(to: "a") } == false)
      #expect(try await one.withMember { $0.unsubscribe(from: "b") } == false)
      publish("1", to: "a", by: broker)
      _ = try await one.lines(atLeast: 1)
      #expect(try await one.withMember { $0.unsubscribe(from: "a") } == true)
      publish("2", to: "a", by: broker)
      #expect(try await two.lines(atLeast: 2) == ["EVENT a 1", "EVENT a 2"])
      #expect(try await one.linesSoFar == ["EVENT a 1"])
      #expect(broker.topicCount == 2)
      #expect(try await two.withMember { $0.unsubscribe(from: "a") } == true)
      #expect(broker.topicCount == 1)
      // Back again.
      #expect(try await one.withMember { $0.subscribe(to: "a") } == true)
      publish("3", to: "a", by: broker)
      #expect(try await one.lines(atLeast: 2) == ["EVENT a 1", "EVENT a 3"])
      try await one.leave()
      try await two.leave()
      #expect(broker.topicCount == 0)
    }
  }

  @Test("A slow reader loses the oldest events, and delays no other reader", arguments: BrokerKind.allCases)
  func slowReader(_ kind: BrokerKind) async throws {
    try await withLoops { loops in
      let broker = kind.broker(on: loops, waiting: 10)
      // On one loop, so that the slow one could delay the other.
      let (slow, quick) = (TestOutlet(on: loops[0]), TestOutlet(on: loops[0]))
      try await slow.join(broker, "a")
      try await quick.join(broker, "a")
      try await slow.keepUp(false)
      for number in 0..<1_000 {
        publish("\(number)", to: "a", by: broker)
        if number % 8 == 7 { _ = try await quick.lines(atLeast: number + 1) }
      }
      let all = (0..<1_000).map { "EVENT a \($0)" }
      #expect(try await quick.lines(atLeast: 1_000) == all)
      let before = try await slow.linesSoFar.count
      // OpenCombine delivers what had been requested.
      #expect(before <= (kind == .openCombine ? 64 : 0))

      try await slow.keepUp(true)
      publish("last", to: "a", by: broker)
      let lines = try await lines(of: slow, upTo: "EVENT a last")
      let events = lines.filter { $0.hasPrefix("EVENT") }
      let lost = lines.compactMap { $0.hasPrefix("LOST ") ? Int($0.dropFirst(5)) : nil }.reduce(0, +)
      #expect(events.suffix(3) == ["EVENT a 998", "EVENT a 999", "EVENT a last"])
      #expect(events.count < 100)
      // OpenCombine's buffer does not report what it has dropped.
      #expect(lost == (kind == .openCombine ? 0 : 1_001 - events.count))
      try await slow.leave()
      try await quick.leave()
    }
  }

  @Test(
    "All events of two publishers are delivered, in each publisher's order",
    arguments: [BrokerKind.weir, .mutex, .async])
  func twoPublishers(_ kind: BrokerKind) async throws {
    try await withLoops { loops in
      let broker = kind.broker(on: loops, waiting: 100_000)
      let outlets = [TestOutlet(on: loops[0]), TestOutlet(on: loops[1])]
      for outlet in outlets { try await outlet.join(broker, "a") }
      await withTaskGroup { group in
        for publisher in ["x", "y"] {
          group.addTask { for number in 0..<5_000 { publish("\(publisher)\(number)", to: "a", by: broker) } }
        }
      }
      var orders: [[String]] = []
      for outlet in outlets {
        let lines = try await outlet.lines(atLeast: 10_000)
        for publisher in ["x", "y"] {
          let its = lines.filter { $0.hasPrefix("EVENT a \(publisher)") }
          #expect(its == (0..<5_000).map { "EVENT a \(publisher)\($0)" })
        }
        orders.append(lines)
      }
      // Only a source that serializes promises this.
      if kind == .weir { #expect(orders[0] == orders[1]) }
      for outlet in outlets { try await outlet.leave() }
    }
  }

  @Test(
    "A connection that has left is released, receives no pending events, and its topics are removed",
    arguments: BrokerKind.allCases)
  func leaving(_ kind: BrokerKind) async throws {
    try await withLoops { loops in
      let broker = kind.broker(on: loops, waiting: 10)
      weak var gone: TestOutlet?
      let late: LateLines
      do {
        let outlet = TestOutlet(on: loops[0])
        (gone, late) = (outlet, outlet.late)
        try await outlet.join(broker, "a", "b")
        try await outlet.keepUp(false)
        for number in 0..<100 { publish("\(number)", to: "a", by: broker) }
        try await outlet.leave()
      }
      #expect(broker.topicCount == 0)
      // Work that was on its way to the loops, and tasks that end there.
      for _ in 0..<1_000 where gone != nil { for loop in loops { try await loop.submit {}.get() } }
      #expect(gone == nil)
      // Nobody is left who could write.
      #expect(late.count.load(ordering: .relaxed) == 0)
    }
  }

  @Test("A broker's end waits for a task that writes on a loop")
  func ended() async throws {
    try await withLoops { loops in
      let broker = BrokerKind.async.broker(on: loops, waiting: 10)
      await broker.ended()
      let outlet = TestOutlet(on: loops[0])
      try await outlet.join(broker, "a")
      try await outlet.keepUp(false)
      publish("1", to: "a", by: broker)
      try await outlet.isAwaited()
      let left = LateLines()
      // Long enough to expose a broker that does not wait; one that does waits for as long as it takes.
      loops[0].scheduleTask(in: .milliseconds(50)) {
        left.count.add(1, ordering: .relaxed)
        outlet.loop.makeFutureWithTask { try await outlet.leave() }.whenFailure { Issue.record($0) }
      }
      await broker.ended()
      #expect(left.count.load(ordering: .relaxed) == 1)
      #expect(outlet.late.count.load(ordering: .relaxed) == 0)
    }
  }

  private func lines(of outlet: TestOutlet, upTo last: String) async throws -> [String] {
    var lines = try await outlet.linesSoFar
    while lines.last != last { lines = try await outlet.lines(atLeast: lines.count + 1) }
    return lines
  }

  private func withLoops(_ body: ([any EventLoop]) async throws -> Void) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    do {
      try await body(Array(group.makeIterator()))
    } catch {
      try await group.shutdownGracefully()
      throw error
    }
    try await group.shutdownGracefully()
  }
}
