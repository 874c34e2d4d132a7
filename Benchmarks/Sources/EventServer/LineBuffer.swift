// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// Bytes as they come from a connection, cut into lines. Holds less than a line and what was appended last.
package struct LineBuffer {
  /// What comes next.
  package enum Line: Equatable {
    /// Without its end, which is a line feed, or a carriage return and a line feed.
    case line(ByteBuffer)
    /// One that is longer than allowed. Told once; the rest of it is skipped.
    case tooLong
  }

  private var bytes = ByteBuffer()
  private let limit: Int
  /// How many bytes at the beginning were searched in vain.
  private var searched = 0
  private var isSkipping = false

  /// - Parameter limit: how many bytes a line may have without its end.
  package init(limit: Int) { self.limit = limit }

  /// How many bytes it has memory for.
  package var storedBytes: Int { bytes.storageCapacity }

  package mutating func append(_ more: ByteBuffer) {
    if bytes.readableBytes == 0 {
      bytes = more
      return
    }
    // Or what was read would stay as long as packets end within a line.
    bytes.discardReadBytes()
    var more = more
    bytes.writeBuffer(&more)
  }

  /// The next line; nil if it has not come to its end yet.
  package mutating func next() -> Line? {
    while true {
      guard let length = lengthOfLine() else { return startSkippingIfTooLong() }
      // There is a line feed behind it, so it is there.
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

  /// One byte more than the limit may be the carriage return.
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
