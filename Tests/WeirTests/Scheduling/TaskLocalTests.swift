// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What ThreadsAndTime.md says of task-local values: they do not travel with a value.
struct TaskLocalTests {
  @TaskLocal private static var trace = "none"
  private let orders = Subject<String, Never>()
  private let seen = Box<[String]>([])

  private func send(_ order: String) { Self.$trace.withValue(order) { orders.send(order) } }

  @Test("a subscriber sees the task-local values of its sender, and of another sender where the two meet")
  func meeting() {
    orders.subscribe { [seen] order in
      if order == "A" {
        // Another sender while this value is delivered: its value is delivered by the first one.
        withThreads(1) { _ in self.send("B") }
      }
      seen.value.append("\(order) with \(Self.trace)")
    }
    send("A")
    send("B")
    #expect(seen.value == ["A with A", "B with A", "B with B"])
  }

  @Test("behind a hop and a timer there are none; a value that carries them sets them")
  func hops() async {
    let scheduler = SerialScheduler()
    let traces = orders.observe(on: scheduler).map { order in
      "\(Self.trace), \(Self.$trace.withValue(order) { Self.trace })"
    }
    let delayed = orders.delay(.milliseconds(1), on: scheduler).map { _ in Self.trace }
    async let both = traces.merge(with: delayed).take(first: 2).allValues()
    while orders.subscriberCount < 2 { await Task.yield() }
    send("A")
    #expect(await Set(both) == ["none, A", "none"])
    await scheduler.shutdown(within: .seconds(3_600))
  }
}
