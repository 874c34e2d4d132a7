// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventServer
import NIOCore
import Synchronization

/// Records what a broker writes, and keeps up with it or not, as it is told.
final class TestOutlet: Outlet, @unchecked Sendable {
  // Unchecked: what is not constant is used on the loop only.
  let loop: any EventLoop
  private(set) var isWritable = true
  private var lines: [String] = []
  private var ready: [@Sendable () -> Void] = []
  private var awaited: (count: Int, promise: EventLoopPromise<[String]>)?
  private var waiter: EventLoopPromise<Void>?
  private var member: (any Member)?
  /// What was written after it had left.
  let late = LateLines()

  init(on loop: any EventLoop) { self.loop = loop }

  func write(_ event: Event) { note(String(String(buffer: event.line).dropLast())) }
  func write(lost count: Int) { note("LOST \(count)") }

  func whenWritable(_ body: @escaping @Sendable () -> Void) {
    if isWritable { return loop.execute(body) }
    ready.append(body)
    waiter.take()?.succeed()
  }

  private func note(_ line: String) {
    lines.append(line)
    if member == nil { late.count.add(1, ordering: .relaxed) }
    if let awaited, lines.count >= awaited.count {
      self.awaited = nil
      awaited.promise.succeed(lines)
    }
  }

  /// For tests that run the loop themselves.
  var linesOnLoop: [String] { lines }

  // MARK: - For tests, from any thread

  func join(_ broker: any Broker, _ topics: String...) async throws {
    try await loop.submit { [self] in
      let member = broker.join(self)
      for topic in topics { _ = member.subscribe(to: topic) }
      self.member = member
    }.get()
  }

  func withMember<Answer: Sendable>(
    _ body: @escaping @Sendable (any Member) -> Answer
  ) async throws -> Answer? {
    try await loop.submit { self.member.map(body) }.get()
  }

  func leave() async throws {
    try await loop.submit { [self] in
      member?.leave()
      member = nil
      // As a closed connection does.
      let bodies = exchange(&ready, with: [])
      isWritable = true
      for body in bodies { body() }
    }.get()
  }

  func keepUp(_ isKeepingUp: Bool) async throws {
    try await loop.submit { [self] in
      isWritable = isKeepingUp
      if isKeepingUp { for body in exchange(&ready, with: []) { body() } }
    }.get()
  }

  /// Returns once somebody waits for the outlet to keep up.
  func isAwaited() async throws {
    let promise = loop.makePromise(of: Void.self)
    loop.execute { [self] in if ready.isEmpty { waiter = promise } else { promise.succeed() } }
    try await promise.futureResult.get()
  }

  /// All lines, once there are at least `count`.
  func lines(atLeast count: Int) async throws -> [String] {
    let promise = loop.makePromise(of: [String].self)
    loop.execute { [self] in
      if lines.count >= count { promise.succeed(lines) } else { awaited = (count, promise) }
    }
    return try await promise.futureResult.get()
  }

  /// The lines that there are now.
  var linesSoFar: [String] {
    get async throws { try await loop.submit { self.lines }.get() }
  }
}

/// Outlives the outlet.
final class LateLines: Sendable {
  let count = Atomic(0)
}

/// Sends on the calling thread.
func publish(_ payload: String, to topic: String, by broker: any Broker) {
  broker.publish(Event(topic: topic, payload: ByteBuffer(string: payload).readableBytesView), to: topic)
}
