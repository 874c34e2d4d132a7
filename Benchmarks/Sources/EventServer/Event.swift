// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// A published event: the line that is sent to all subscribers of its topic, who share its bytes.
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
