// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The content of an event: its publisher, its number among the events of the same publisher and topic, and
/// when it was due, in nanoseconds of the monotonic clock. As text: three numbers with a space after each,
/// and then dots up to the required size.
struct Payload: Equatable {
  let publisher: Int
  let number: Int
  let due: Int

  func write(into buffer: inout ByteBuffer, bytes: Int) {
    let start = buffer.writerIndex
    buffer.writeString("\(publisher) \(number) \(due) ")
    buffer.writeRepeatingByte(UInt8(ascii: "."), count: max(0, bytes - (buffer.writerIndex - start)))
  }

  init(publisher: Int, number: Int, due: Int) {
    (self.publisher, self.number, self.due) = (publisher, number, due)
  }

  /// - Parameter bytes: begin with the first number.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    guard let publisher = Self.number(&rest), let number = Self.number(&rest), let due = Self.number(&rest)
    else { return nil }
    self.init(publisher: publisher, number: number, due: due)
  }

  /// The number that ends at the next space, or at the end.
  static func number(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Int? {
    var value = 0
    var digits = 0
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: " ") { return digits > 0 ? value : nil }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < 18 else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      digits += 1
    }
    return digits > 0 ? value : nil
  }
}
