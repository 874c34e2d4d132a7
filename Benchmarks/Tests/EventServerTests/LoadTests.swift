// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import EventServer
import Glibc
import NIOCore
import Testing

@testable import ServerLoad

@Suite("The load that measures a server")
struct LoadTests {
  @Test("The load receives all that it publishes, with a rate and without", arguments: BrokerKind.allCases)
  func sockets(_ kind: BrokerKind) async throws {
    let server = try await Server.start(kind).get()
    let port = try #require(server.address.port)
    for pace in [["--window", "16"], ["--rate", "1000"]] {
      let options = try LoadOptions(
        [
          "--port", "\(port)", "--subscribers", "20", "--topics", "3", "--publishers", "2", "--milliseconds",
          "100",
        ]
          + pace)
      let figures = try await offTheTasks { try SocketLoad.run(options, port: port, nil) }
      #expect(figures.received > 0)
      #expect(figures.missing == 0)
      #expect(figures.toldLost == 0)
      #expect(figures.strange == 0)
      #expect((figures.latency?.total ?? 0) == (pace[0] == "--rate" ? figures.deliveries : 0))
    }
    await withCheckedContinuation { stopped in server.stop { _ in stopped.resume() } }
  }

  @Test(
    "Options of which one would be ignored are refused",
    arguments: [
      ["--port", "1", "--in-process", "weir"], ["--port", "1", "--loops", "2"],
      ["--in-process", "weir", "--server-pid", "1"], ["--in-process", "weir", "--rate", "5"],
      ["--port", "1", "--rate", "5", "--window", "4"],
    ])
  func exclusive(_ arguments: [String]) {
    let problem = #expect(throws: Arguments.Problem.self) { try LoadOptions(arguments) }
    let names = arguments.filter { $0.hasPrefix("--") }.suffix(2).map { "'\($0)'" }.joined(separator: " and ")
    #expect(problem == .bad("\(names) exclude each other"))
  }

  @Test("Brokers without sockets deliver all events", arguments: BrokerKind.allCases)
  func inProcess(_ kind: BrokerKind) async throws {
    let options = try LoadOptions(
      [
        "--in-process", kind.rawValue, "--subscribers", "20", "--topics", "3", "--publishers", "2",
        "--milliseconds", "50",
      ])
    let figures = try await offTheTasks { try BrokerLoad.run(options, kind, loops: 2) }
    #expect(figures.received > 0)
    #expect(figures.missing == 0)
  }

  @Test(
    "Events that a server drops are counted as missing, and as reported",
    arguments: [BrokerKind.weir, .mutex])
  func missing(_ kind: BrokerKind) async throws {
    var limits = ServerLimits()
    (limits.waitingEvents, limits.bufferedBytes) = (1, 64)
    let server = try await Server.start(kind, limits).get()
    let port = try #require(server.address.port)
    let options = try LoadOptions(["--port", "\(port)", "--subscribers", "20", "--milliseconds", "100"])
    let figures = try await offTheTasks { try SocketLoad.run(options, port: port, nil) }
    #expect(figures.received > 0)
    #expect(figures.missing > 0)
    #expect(figures.toldLost == figures.missing)
    #expect(figures.strange == 0)
    await withCheckedContinuation { stopped in server.stop { _ in stopped.resume() } }
  }

  @Test("Deliveries, events out of order and reported losses are counted")
  func tally() {
    var (tally, next) = (Tally(), 0)
    for number in [0, 1, 3, 2, 4] {
      tally.receive(Payload(publisher: 0, number: number, due: 0), expecting: &next)
    }
    tally.receive(lost: 7)
    #expect((tally.deliveries, tally.disordered, tally.toldLost) == (5, 1, 7))
  }

  @Test("The processor time of a process is read in steps of less than a hundredth of a second")
  func processorTime() throws {
    let process = try ServerProcess(Int(getpid()))
    for _ in 0..<5 {
      let before = process.processorSeconds
      #expect(before > 0)
      let end = ThreadTime.now + 0.002
      while ThreadTime.now < end {}
      // Other tests run meanwhile.
      #expect(process.processorSeconds - before > 0.0019)
    }
    let before = process.processorSeconds
    let own = ServerProcess.processorSecondsOfThisOne
    let after = process.processorSeconds
    // The two ways of reading it count in steps of their own.
    #expect(own > before - 0.02 && own < after + 0.02)
    #expect(throws: LoadError.self) { try ServerProcess(Int(Int32.max)) }
  }

  /// The processor time of the calling thread, in seconds.
  private enum ThreadTime {
    static var now: Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }

  @Test("A payload is read as it was written, and a malformed one is refused")
  func payload() {
    var buffer = ByteBuffer()
    let payload = Payload(publisher: 3, number: 1_234, due: 987_654_321_012)
    payload.write(into: &buffer, bytes: 64)
    #expect(buffer.readableBytes == 64)
    #expect(buffer.withUnsafeReadableBytes(Payload.init) == payload)
    for bad in ["", "1 2", "1 x 3 ", "1  3 ", "-1 2 3 ", "1 2 9999999999999999999 "] {
      #expect(ByteBuffer(string: bad).withUnsafeReadableBytes(Payload.init) == nil, "\(bad)")
    }
  }

  @Test(
    "Invalid options are refused with a message that names them",
    arguments: [
      ([], "'--port' of a server or '--in-process' is needed; see"),
      (["--port", "1", "--in-process", "weir"], "exclude each other"),
      (["--port", "70000"], "'--port' needs a whole number from 1 to 65535, not '70000'"),
      (
        ["--in-process", "rx"],
        "'--in-process' needs one of 'weir', 'mutex', 'opencombine', 'async', not 'rx'"
      ),
      (["--port", "1", "--topics", "101"], "'--topics' needs a whole number from 1 to 100"),
      (["--port", "1", "--rate"], "'--rate' needs a value after it"),
      (["--speed", "1"], "unknown argument '--speed'"),
    ])
  func options(_ arguments: [String], _ message: String) throws {
    let problem = #expect(throws: Arguments.Problem.self) { try LoadOptions(arguments) }
    guard case .bad(let text) = problem else { return #expect(Bool(false), "no message") }
    #expect(text.contains(message))
  }

  /// `body` blocks, which tasks must not.
  private func offTheTasks<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { done in
      _ = Thread { done.resume(with: Swift.Result { try body() }) }
    }
  }
}
