// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The connections of a loop that have something to send. Used on the loop.
///
/// The events of one iteration of the loop are sent together: those of a connection with one write, and those
/// of all connections in one task on the loop.
final class LoopFlusher: @unchecked Sendable {
  private let loop: any EventLoop
  private var connections: [Connection] = []

  init(_ loop: any EventLoop) { self.loop = loop }

  func add(_ connection: Connection) {
    if connections.isEmpty { loop.execute { self.flush() } }
    connections.append(connection)
  }

  private func flush() {
    for connection in exchange(&connections, with: []) { connection.flush() }
  }
}
