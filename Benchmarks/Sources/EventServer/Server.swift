// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore
import NIOPosix
import Synchronization

/// An event server: receives commands as lines over TCP, and sends published events to the subscribers of
/// their topic.
package final class Server: Sendable {
  private let listener: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let connections: OpenConnections
  package let broker: any Broker

  /// The address on which it listens.
  package let address: SocketAddress

  private init(
    _ listener: any Channel, _ address: SocketAddress, _ group: MultiThreadedEventLoopGroup,
    _ connections: OpenConnections, _ broker: any Broker
  ) {
    self.listener = listener
    self.address = address
    self.group = group
    self.connections = connections
    self.broker = broker
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: the port, or 0 for any free one.
  ///   - loops: the number of threads for connections. Each connection belongs to one of them.
  package static func start(
    host: String = "127.0.0.1", port: Int = 0, _ kind: BrokerKind, loops: Int = 2,
    _ limits: ServerLimits = ServerLimits()
  ) -> EventLoopFuture<Server> {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: loops)
    let all = Array(group.makeIterator())
    let broker = kind.broker(on: all, waiting: limits.waitingEvents)
    let flushers = PerLoop(all) { LoopFlusher($0) }
    let connections = OpenConnections()
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(
        .writeBufferWaterMark, value: .init(low: limits.bufferedBytes / 2, high: limits.bufferedBytes)
      )
      // Between two reads from a publisher, the events of the first one are sent.
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16_384))
      .childChannelInitializer { channel in
        let connection = Connection(on: channel.eventLoop, broker, limits, flushers[channel.eventLoop])
        connections.add(connection, of: channel)
        return channel.eventLoop.makeCompletedFuture {
          // Nothing is read from a client that does not read; otherwise its answers would pile up.
          try channel.pipeline.syncOperations.addHandlers(BackPressureHandler(), connection)
        }
      }
    return bootstrap.bind(host: host, port: port).flatMapThrowing { listener in
      guard let address = listener.localAddress else { throw ChannelError.unknownLocalAddress }
      return Server(listener, address, group, connections, broker)
    }.flatMapErrorThrowing { error in
      group.shutdownGracefully { _ in }
      throw error
    }
  }

  /// The number of open connections.
  package var connectionCount: Int { connections.count }

  /// Stops the server: accepts no more connections, ends all subscriptions, sends what was written, and
  /// closes the connections. At the deadline it closes those whose clients have not read everything.
  ///
  /// - Parameter stopped: called once when all threads have ended.
  package func stop(
    within limit: TimeAmount = .seconds(1), _ stopped: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let loop = listener.eventLoop
    listener.close().whenComplete { _ in
      // A connection that was accepted just before may still be on its way to its loop.
      let arrivals = self.group.makeIterator().map { $0.submit {} }
      EventLoopFuture.andAllComplete(arrivals, on: loop).whenComplete { _ in
        let deadline = loop.scheduleTask(in: limit) { self.connections.close() }
        self.connections.finish(on: loop).whenComplete { _ in
          deadline.cancel()
          // Loops must not end before everything that runs on them has ended.
          Task {
            await self.broker.ended()
            self.group.shutdownGracefully(stopped)
          }
        }
      }
    }
  }
}

/// The connections of a server, behind a lock that is held only when one is added or removed.
private final class OpenConnections: Sendable {
  private let open = Mutex<[ObjectIdentifier: (connection: Connection, channel: any Channel)]>([:])

  var count: Int { open.withLock { $0.count } }

  func add(_ connection: Connection, of channel: any Channel) {
    let identifier = ObjectIdentifier(connection)
    open.withLock { $0[identifier] = (connection, channel) }
    channel.closeFuture.whenComplete { _ in self.open.withLock { $0[identifier] = nil } }
  }

  /// Finishes all connections.
  func finish(on loop: any EventLoop) -> EventLoopFuture<Void> {
    let all = open.withLock { Array($0.values) }
    for (connection, channel) in all { channel.eventLoop.execute { connection.finish() } }
    return EventLoopFuture.andAllComplete(all.map(\.channel.closeFuture), on: loop)
  }

  /// Closes all connections, whatever they have not sent yet.
  func close() {
    let all = open.withLock { $0.values.map(\.channel) }
    for channel in all { channel.close(promise: nil) }
  }
}
