// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// Splits the bytes of a connection into lines. Holds less than one line, and what was appended last.
package struct LineBuffer {
  /// The next element of the input.
  package enum Line: Equatable {
    /// A line without its end, which is a line feed, or a carriage return and a line feed.
    case line(ByteBuffer)
    /// A line that is longer than allowed. Reported once; the rest of the line is skipped.
    case tooLong
  }

  private var bytes = ByteBuffer()
  private let limit: Int
  /// How many bytes at the beginning are known to contain no line feed.
  private var searched = 0
  private var isSkipping = false

  /// - Parameter limit: the maximum length of a line in bytes, without its end.
  package init(limit: Int) { self.limit = limit }

  /// The number of bytes that it has memory for.
  package var storedBytes: Int { bytes.storageCapacity }

  package mutating func append(_ more: ByteBuffer) {
    if bytes.readableBytes == 0 {
      bytes = more
      return
    }
    // Otherwise memory that was read would be retained as long as packets end within a line.
    bytes.discardReadBytes()
    var more = more
    bytes.writeBuffer(&more)
  }

  /// The next line; nil if its end has not arrived yet.
  package mutating func next() -> Line? {
    while true {
      guard let length = lengthOfLine() else { return startSkippingIfTooLong() }
      // There is a line feed after it, so all of it is here.
      guard var line = bytes.readSlice(length: length) else { return nil }
      bytes.moveReaderIndex(forwardBy: 1)
      searched = 0
      if isSkipping {
        isSkipping = false
        continue
      }
      if line.readableBytesView.last == UInt8(ascii: "\r") { line.moveWriterIndex(to: line.writerIndex - 1) }
      return line.readableBytes > limit ? .tooLong : .line(line)
    }
  }

  private mutating func lengthOfLine() -> Int? {
    let view = bytes.readableBytesView
    let index = view.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n"))
    if index == nil { searched = view.count }
    return index.map { $0 - view.startIndex }
  }

  /// One more byte than the limit is allowed, since it may be the carriage return.
  private mutating func startSkippingIfTooLong() -> Line? {
    if isSkipping || bytes.readableBytes > limit + 1 {
      bytes.clear()
      searched = 0
      defer { isSkipping = true }
      return isSkipping ? nil : .tooLong
    }
    return nil
  }
}
