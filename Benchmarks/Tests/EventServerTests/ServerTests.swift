// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventServer
import Foundation
import NIOCore
import Testing

@Suite("A server on loopback")
struct ServerTests {
  @Test("Clients subscribe, publish, and receive each other's events", arguments: BrokerKind.allCases)
  func wholeServer(_ kind: BrokerKind) async throws {
    try await withServer(kind) { server in
      let (one, two, three) = (
        try await TestClient.connected(to: server), try await TestClient.connected(to: server),
        try await TestClient.connected(to: server)
      )
      try await one.send("SUB news\r\nSUB wea")
      try await one.send("ther\n")
      #expect(await one.lines(2) == ["SUBSCRIBED news", "SUBSCRIBED weather"])
      try await two.send("SUB news\n")
      #expect(await two.line() == "SUBSCRIBED news")
      #expect(server.broker.topicCount == 2)

      try await three.send(
        "PUB news first  of all\nPUB weather rain\nPUB sports nobody listens\nPUB news second\n")
      #expect(
        Set(await one.lines(3)) == ["EVENT news first  of all", "EVENT weather rain", "EVENT news second"])
      #expect(await two.lines(2) == ["EVENT news first  of all", "EVENT news second"])

      try await two.send("UNSUB news\nPING still there\n")
      #expect(await two.lines(2) == ["UNSUBSCRIBED news", "PONG still there"])
      try await one.close()
      try await three.close()
      try await until { server.connectionCount == 1 }
      #expect(server.broker.topicCount == 0)
      try await two.close()
    }
  }

  @Test("Bad lines are answered with errors, and the connection stays open")
  func badInput() async throws {
    try await withServer(.weir) { server in
      let client = try await TestClient.connected(to: server)
      try await client.send("FOO\nSUB\nUNSUB news\nSUB news\nSUB news\n\u{0}\u{1}\n")
      #expect(
        await client.lines(6) == [
          "ERROR 'FOO' is no command; there are SUB topic, UNSUB topic, PUB topic payload, PING text",
          "ERROR SUB needs a topic after one space",
          "ERROR you are not subscribed to 'news'",
          "SUBSCRIBED news",
          "ERROR you are subscribed to 'news' already",
          "ERROR '??' is no command; there are SUB topic, UNSUB topic, PUB topic payload, PING text",
        ])
      try await client.send("PUB news " + String(repeating: "x", count: 100_000) + "\nPUB news short\n")
      #expect(
        await client.lines(2) == [
          "ERROR a line may have 4096 bytes; the rest of this one is skipped", "EVENT news short",
        ])
      try await client.close()
    }
  }

  @Test("A connection cannot have more topics than its limit")
  func topicsOfConnection() async throws {
    var limits = ServerLimits()
    limits.topicsOfConnection = 2
    try await withServer(.weir, limits) { server in
      let client = try await TestClient.connected(to: server)
      try await client.send("SUB a\nSUB b\nSUB c\nUNSUB a\nSUB c\n")
      #expect(
        await client.lines(5) == [
          "SUBSCRIBED a", "SUBSCRIBED b", "ERROR a connection may have 2 topics; UNSUB one of them first",
          "UNSUBSCRIBED a", "SUBSCRIBED c",
        ])
      try await client.close()
    }
  }

  @Test(
    "A client that does not read loses events, receives their count, and delays no other client",
    arguments: [BrokerKind.weir, .mutex])
  func slowReader(_ kind: BrokerKind) async throws {
    var limits = ServerLimits()
    limits.waitingEvents = 64
    try await withServer(kind, limits) { server in
      let slow = try await TestClient.connected(to: server, .later)
      let (quick, publisher) = (
        try await TestClient.connected(to: server), try await TestClient.connected(to: server)
      )
      try await slow.send("SUB a\n")
      try await until { server.broker.topicCount == 1 }
      try await quick.send("SUB a\n")
      #expect(await quick.line() == "SUBSCRIBED a")
      // More than the kernel keeps for a connection.
      let text = String(repeating: ".", count: 4_000)
      let (rounds, events) = (250, 16)
      for round in 0..<rounds {
        let lines = (0..<events).map { "PUB a \(round * events + $0) \(text)\n" }
        try await publisher.send(lines.joined())
        #expect(await quick.lines(events).map(number) == (0..<events).map { round * events + $0 })
      }

      try await slow.beginReading()
      #expect(await slow.line() == "SUBSCRIBED a")
      var (next, lost) = (0, 0)
      while next < rounds * events, let line = await slow.line() {
        if line.hasPrefix("LOST ") {
          let count = Int(line.dropFirst(5)) ?? 0
          lost += count
          next += count
        } else {
          #expect(number(line) == next)
          next += 1
        }
      }
      #expect(lost > 0)
      #expect(next == rounds * events)
      for client in [slow, quick, publisher] { try await client.close() }
    }
  }

  @Test("No more commands are read from a client that does not read its answers, until it does")
  func unreadAnswers() async throws {
    // With one loop, both clients have a turn with each answer to the other one.
    try await withServer(.weir, loops: 1) { server in
      let silent = try await TestClient.connected(to: server, .later)
      let other = try await TestClient.connected(to: server)
      // More than the kernels' buffers take in both directions.
      let (rounds, text) = (6_000, String(repeating: ".", count: 4_000))
      let pings = String(repeating: "PING \(text)\n", count: rounds)
      async let sent: Void = silent.send(pings + "SUB done\n")
      for round in 0..<4_096 {
        try await other.send("PING \(round)\n")
        #expect(await other.line() == "PONG \(round)")
      }
      #expect(server.broker.topicCount == 0)

      try await silent.beginReading()
      for _ in 0..<rounds { #expect(await silent.line()?.utf8.count == text.utf8.count + 5) }
      #expect(await silent.line() == "SUBSCRIBED done")
      try await sent
      for client in [silent, other] { try await client.close() }
    }
  }

  @Test(
    "Stopping closes all connections and removes all topics",
    arguments: BrokerKind.allCases)
  func stopping(_ kind: BrokerKind) async throws {
    let server = try await Server.start(kind).get()
    let client = try await TestClient.connected(to: server)
    try await client.send("SUB a\nPUB a 1\n")
    #expect(await client.lines(2) == ["SUBSCRIBED a", "EVENT a 1"])
    try await stop(server)
    #expect(await client.line() == nil)
    #expect(server.connectionCount == 0)
    #expect(server.broker.topicCount == 0)
  }

  @Test("Stopping does not wait for a client that does not read", arguments: BrokerKind.allCases)
  func stoppingBesideSlowReader(_ kind: BrokerKind) async throws {
    let server = try await Server.start(kind).get()
    let slow = try await TestClient.connected(to: server, .later)
    let publisher = try await TestClient.connected(to: server)
    try await slow.send("SUB a\n")
    try await until { server.broker.topicCount == 1 }
    let text = String(repeating: ".", count: 4_000)
    for _ in 0..<100 { try await publisher.send(String(repeating: "PUB a \(text)\n", count: 50)) }
    try await publisher.send("PING done\n")
    #expect(await publisher.line() == "PONG done")
    try await stop(server, within: .milliseconds(50))
    #expect(server.connectionCount == 0)
  }

  @Test(
    "Stopping ends the brokers' work on the loops, and then their threads, also with a client that does not read",
    arguments: BrokerKind.allCases.map(\.rawValue))
  func nothingOnLoopsThatHaveEnded(name: String) async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [name] in
      let kind = try #require(BrokerKind(rawValue: name))
      let tests = ServerTests()
      for _ in 0..<20 {
        let server = try await Server.start(kind).get()
        #expect(tests.loopThreads.count == 2)
        let quick = try await TestClient.connected(to: server)
        let slow = try await TestClient.connected(to: server, .later)
        try await slow.send("SUB a\n")
        try await quick.send("SUB a\n")
        #expect(await quick.line() == "SUBSCRIBED a")
        let line = "PUB a \(String(repeating: ".", count: 4_000))\n"
        for _ in 0..<10 { try await quick.send(String(repeating: line, count: 16)) }
        try await tests.stop(server, within: .milliseconds(20))
        // The system may list a thread for a moment after its end.
        try await tests.until { tests.loopThreads.isEmpty }
      }
    }
    // What SwiftNIO prints about work for a loop that has ended.
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!text.contains("already shut down"))
  }

  // MARK: - Support

  /// The first word of an event's payload.
  private func number(_ line: String) -> Int? {
    let words = line.split(separator: " ")
    return words.count > 2 ? Int(words[2]) : nil
  }

  /// Polls until the condition holds, however long that takes: a server does not announce what it counts.
  private func until(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// The threads of loops, without those of the clients, in this process.
  private var loopThreads: [String] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let names = threads.compactMap {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
    return names.filter { $0.hasPrefix("NIO-ELT") }
  }

  private func stop(_ server: Server, within limit: TimeAmount = .hours(1)) async throws {
    try await withCheckedThrowingContinuation { (stopped: CheckedContinuation<Void, any Error>) in
      server.stop(within: limit) { error in
        if let error { stopped.resume(throwing: error) } else { stopped.resume() }
      }
    }
  }

  private func withServer(
    _ kind: BrokerKind, loops: Int = 2, _ limits: ServerLimits = ServerLimits(),
    _ body: (Server) async throws -> Void
  ) async throws {
    let server = try await Server.start(kind, loops: loops, limits).get()
    do {
      try await body(server)
    } catch {
      try await stop(server)
      throw error
    }
    try await stop(server)
  }
}
