// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The connections of a loop that have something to send. Used on the loop.
///
/// The events that a turn of the loop brings go out together: all of a connection with one write, and with
/// one task of the loop for all connections.
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
