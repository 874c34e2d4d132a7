// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import Testing

@testable import EventServer

@Suite("A connection whose client does not read")
struct ConnectionTests {
  private let channel = EmbeddedChannel()
  private let connection: Connection
  private let broker: any Broker
  private var loop: EmbeddedEventLoop { channel.embeddedEventLoop }
  private let bound = 1_000

  init() throws {
    let loop = channel.embeddedEventLoop
    broker = BrokerKind.mutex.broker(on: [loop], waiting: 10)
    var limits = ServerLimits()
    limits.bufferedBytes = bound
    connection = Connection(on: loop, broker, limits, LoopFlusher(loop))
    try channel.pipeline.syncOperations.addHandler(connection)
  }

  /// The next piece that was written, if there is one.
  private func written() throws -> String? {
    try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
  }

  private func allWritten() throws -> [String] {
    var pieces: [String] = []
    while let piece = try written() { pieces.append(piece) }
    return pieces
  }

  private func become(writable isWritable: Bool) {
    channel.isWritable = isWritable
    channel.pipeline.fireChannelWritabilityChanged()
    loop.run()
  }

  @Test(
    "The answers to one packet are written in bounded pieces, and are held back while the client does not read"
  )
  func answersAreBounded() throws {
    let count = 8_000
    try channel.writeInbound(ByteBuffer(string: String(repeating: "X\n", count: count)))
    // Nobody has noticed yet that the client does not read.
    become(writable: false)
    let first = try allWritten()
    #expect(first.count == 1 && first[0].utf8.count < bound + 200)
    loop.run()
    #expect(try allWritten() == [])

    become(writable: true)
    let rest = try allWritten()
    #expect(rest.allSatisfy { $0.utf8.count < bound + 200 })
    #expect((first + rest).joined().split(separator: "\n").count == count)
    _ = try channel.finish()
  }

  @Test("Commands sent meanwhile are handled when the client reads again, before the pending events")
  func commandsBeforeEvents() throws {
    try channel.writeInbound(ByteBuffer(string: "SUB a\n"))
    loop.run()
    #expect(try allWritten() == ["SUBSCRIBED a\n"])
    become(writable: false)
    publish("1", to: "a", by: broker)
    loop.run()
    try channel.writeInbound(ByteBuffer(string: "PING x\nSUB b\n"))
    #expect(try allWritten() == [])
    become(writable: true)
    #expect(try allWritten().joined() == "PONG x\nSUBSCRIBED b\nEVENT a 1\n")
    _ = try channel.finish()
  }

  @Test("The events lost meanwhile are reported once, in one line")
  func lostIsAddedUp() throws {
    become(writable: false)
    for _ in 0..<1_000 { connection.write(lost: 2) }
    loop.run()
    #expect(try allWritten() == [])
    become(writable: true)
    #expect(try allWritten() == ["LOST 2000\n"])
    connection.write(lost: 3)
    connection.write(Event(topic: "a", payload: ByteBuffer(string: "1").readableBytesView))
    loop.run()
    #expect(try allWritten() == ["LOST 3\nEVENT a 1\n"])
    _ = try channel.finish()
  }

  @Test("Events published before the connection closes are delivered, and nothing more is written to it")
  func publishesBeforeItGoes() throws {
    let reader = TestOutlet(on: loop)
    let member = broker.join(reader)
    #expect(member.subscribe(to: "a"))
    become(writable: false)
    try channel.writeInbound(ByteBuffer(string: "FOO\nPUB a 1\nPUB a 2\n"))
    _ = try channel.finish()
    loop.run()
    #expect(reader.linesOnLoop == ["EVENT a 1", "EVENT a 2"])
    #expect(try allWritten() == [])
    #expect(broker.topicCount == 1)
    member.leave()
    #expect(broker.topicCount == 0)
  }
}
