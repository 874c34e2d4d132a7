// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import EventServer
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A broker without sockets: publishers are threads, and subscribers count events on the loops.
enum BrokerLoad {
  static func run(_ options: LoadOptions, _ kind: BrokerKind, loops: Int) throws -> Figures {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: loops)
    let all = Array(group.makeIterator())
    let broker = kind.broker(on: all, waiting: ServerLimits().waitingEvents)
    let traffic = Traffic(loops: all.map(LoopTally.init))
    let outlets = try (0..<options.subscribers).map { number in
      // Each topic has subscribers on all loops.
      let outlet = CountingOutlet(traffic.loops[number / options.topics % loops])
      try outlet.loop.submit {
        let member = broker.join(outlet)
        _ = member.subscribe(to: LoadOptions.topic(number % options.topics))
        outlet.member = member
      }.wait()
      return outlet
    }
    let threads = (0..<options.publishers).map { index in
      Thread { publish(index, options, broker, traffic) }
    }
    pause(milliseconds: UInt32(options.milliseconds / 4))
    let begin = Reading(traffic)
    pause(milliseconds: UInt32(options.milliseconds))
    let end = Reading(traffic)
    traffic.isOver.store(true, ordering: .relaxed)
    for thread in threads { thread.join() }
    let patience = bench_monotonic_ns() + Int64(SocketLoad.patience)
    while traffic.isUnderWay, bench_monotonic_ns() < patience { pause(milliseconds: 2) }
    for outlet in outlets { try outlet.loop.submit { outlet.member?.leave() }.wait() }
    return Figures(
      milliseconds: (end.time - begin.time) / 1_000_000, published: end.published - begin.published,
      deliveries: end.received - begin.received, received: traffic.received,
      missing: traffic.expected.load(ordering: .relaxed) - traffic.received,
      toldLost: outlets.reduce(0) { $0 + $1.lost }, processor: end.processor - begin.processor)
  }

  private struct Reading {
    let published: Int
    let received: Int
    let processor: Double
    let time: Int

    init(_ traffic: Traffic) {
      published = traffic.published.load(ordering: .relaxed)
      received = traffic.received
      processor = ServerProcess.processorSecondsOfThisOne
      time = Int(bench_monotonic_ns())
    }
  }

  /// Publishes to all topics in turn, half a window at a time. Sleeps while more than half a window is on its
  /// way.
  private static func publish(
    _ index: Int, _ options: LoadOptions, _ broker: any Broker, _ traffic: Traffic
  ) {
    let topics = (0..<options.topics).map(LoadOptions.topic)
    var buffer = ByteBuffer()
    Payload(publisher: index, number: 0, due: 0).write(into: &buffer, bytes: options.payload)
    let payload = buffer.readableBytesView
    let portion = max(1, options.window / 2 / options.publishers)
    let limit = options.window / 2 * options.subscribers
    while !traffic.isOver.load(ordering: .relaxed) {
      traffic.expected.add(portion * options.subscribers, ordering: .relaxed)
      for _ in 0..<portion {
        for topic in topics { broker.publish(Event(topic: topic, payload: payload), to: topic) }
      }
      traffic.published.add(portion * topics.count, ordering: .relaxed)
      // There is no notification when the loops have caught up, and spinning would take the processor from
      // them.
      while traffic.expected.load(ordering: .relaxed) - traffic.received > limit,
        !traffic.isOver.load(ordering: .relaxed)
      { usleep(20) }
    }
  }
}

/// The state that publishers and subscribers of a run share.
private final class Traffic: Sendable {
  let loops: [LoopTally]
  let isOver = Atomic(false)
  let published = Atomic(0)
  /// Deliveries.
  let expected = Atomic(0)

  init(loops: [LoopTally]) { self.loops = loops }

  var received: Int { loops.reduce(0) { $0 + $1.received } }
  var isUnderWay: Bool { received < expected.load(ordering: .relaxed) }
}

/// The number of events received on a loop; only that loop changes it.
private final class LoopTally: Sendable {
  let loop: any EventLoop
  private let count = Atomic(0)

  init(_ loop: any EventLoop) { self.loop = loop }

  var received: Int { count.load(ordering: .relaxed) }
  func receive() { count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed) }
}

/// Counts the events that it is given.
private final class CountingOutlet: Outlet, @unchecked Sendable {
  // Unchecked: only the loop uses `member` and `lost`, until it has nothing more to do.
  private let tally: LoopTally
  var member: (any Member)?
  private(set) var lost = 0

  init(_ tally: LoopTally) { self.tally = tally }

  var loop: any EventLoop { tally.loop }
  var isWritable: Bool { true }
  func write(_ event: Event) { tally.receive() }
  func write(lost count: Int) { lost += count }
  func whenWritable(_ body: @escaping @Sendable () -> Void) { loop.execute(body) }
}
