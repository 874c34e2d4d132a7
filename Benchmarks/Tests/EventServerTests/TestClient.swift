// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventServer
import NIOCore
import NIOPosix

/// A connection to a server, read line by line.
final class TestClient: @unchecked Sendable {
  // Unchecked: one task at a time reads lines.
  private let channel: any Channel
  private var reader: AsyncStream<String>.Iterator

  /// Whether it reads from the beginning what arrives.
  enum Reading { case atOnce, later }

  static func connected(to server: Server, _ reading: Reading = .atOnce) async throws -> TestClient {
    try await connected(to: server.address, reading)
  }

  static func connected(to address: SocketAddress, _ reading: Reading = .atOnce) async throws -> TestClient {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: reading == .atOnce)
      .channelOption(.socketOption(.so_rcvbuf), value: 8_192)
      .channelInitializer { channel in channel.pipeline.addHandler(Splitter(continuation)) }
      .connect(to: address).get()
    return TestClient(channel, lines)
  }

  private init(_ channel: any Channel, _ lines: AsyncStream<String>) {
    self.channel = channel
    reader = lines.makeAsyncIterator()
  }

  func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)).get() }

  /// The next line; nil once the server has closed.
  func line() async -> String? { await reader.next() }

  func lines(_ count: Int) async -> [String] {
    var lines: [String] = []
    while lines.count < count, let line = await line() { lines.append(line) }
    return lines
  }

  func beginReading() async throws { try await channel.setOption(.autoRead, value: true).get() }
  func close() async throws { try await channel.close().get() }
}

/// Used on its loop only.
private final class Splitter: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  private let continuation: AsyncStream<String>.Continuation
  private var buffer = LineBuffer(limit: 100_000)

  init(_ continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    buffer.append(unwrapInboundIn(data))
    while case .line(let line) = buffer.next() { continuation.yield(String(buffer: line)) }
  }

  func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
}
