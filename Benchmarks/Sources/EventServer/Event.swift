// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// What was published, as the line that all subscribers of its topic are sent: they share its bytes.
package struct Event: Sendable {
  package let line: ByteBuffer

  package init(topic: String, payload: ByteBufferView) {
    var line = ByteBuffer()
    line.reserveCapacity(Self.verb.utf8.count + topic.utf8.count + payload.count + 2)
    line.writeString(Self.verb)
    line.writeString(topic)
    line.writeInteger(UInt8(ascii: " "))
    line.writeBytes(payload)
    line.writeInteger(UInt8(ascii: "\n"))
    self.line = line
  }

  private static let verb = "EVENT "
}
