// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventServer
import NIOCore
import Testing

@Suite("Splitting the bytes of a connection into lines")
struct LineBufferTests {
  @Test("Lines are whole, however they were divided into packets")
  func splitPackets() {
    let text = "SUB a\nPUB a b\n\nPING\n"
    for size in 1...text.utf8.count {
      #expect(lines(of: packets(text, of: size)) == ["SUB a", "PUB a b", "", "PING"], "\(size)")
    }
  }

  @Test("A carriage return before the line feed is removed, also if it comes in a packet of its own")
  func carriageReturns() {
    for size in 1...8 { #expect(lines(of: packets("a\r\nb\rc\r\n", of: size)) == ["a", "b\rc"], "\(size)") }
  }

  @Test("A line of the maximum length is accepted, also with a carriage return")
  func longest() {
    for end in ["\n", "\r\n"] {
      let longest = String(repeating: "x", count: 8)
      for size in 1...10 { #expect(lines(of: packets(longest + end, of: size)) == [longest], "\(size)") }
    }
  }

  @Test("A line that is too long is reported once, and the next one is whole")
  func tooLong() {
    for count in [9, 10, 11, 40] {
      let text = String(repeating: "x", count: count) + "\nnext\n"
      for size in 1...text.utf8.count {
        #expect(lines(of: packets(text, of: size)) == ["(too long)", "next"], "\(count) bytes by \(size)")
      }
    }
  }

  @Test("A line that does not end is reported once and not retained, and the next line is read")
  func endless() {
    var buffer = LineBuffer(limit: 8)
    var (told, most) = (0, 0)
    for _ in 0..<10_000 {
      buffer.append(ByteBuffer(repeating: 120, count: 1_000))
      while buffer.next() != nil { told += 1 }
      most = max(most, buffer.storedBytes)
    }
    #expect(told == 1)
    #expect(most <= 2_048)
    buffer.append(ByteBuffer(string: "\nb\n"))
    #expect(buffer.next() == .line(ByteBuffer(string: "b")))
  }

  @Test("Bytes that were read are not retained, also if every packet ends within a line")
  func flat() {
    var buffer = LineBuffer(limit: 8)
    buffer.append(ByteBuffer(string: "12"))
    for _ in 0..<1_000 {
      buffer.append(ByteBuffer(string: "345678\n12345678\n12"))
      while buffer.next() != nil {}
    }
    #expect(buffer.storedBytes <= 256)
  }

  private func packets(_ text: String, of size: Int) -> [ByteBuffer] {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: size).map {
      ByteBuffer(bytes: bytes[$0..<min(bytes.count, $0 + size)])
    }
  }

  /// Of at most 8 bytes.
  private func lines(of packets: [ByteBuffer]) -> [String] {
    var buffer = LineBuffer(limit: 8)
    var found: [String] = []
    for packet in packets {
      buffer.append(packet)
      while let line = buffer.next() {
        switch line {
        case .line(let bytes): found.append(String(buffer: bytes))
        case .tooLong: found.append("(too long)")
        }
      }
    }
    return found
  }
}
