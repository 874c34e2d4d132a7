// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// Splits an input into lines, block by block, in a buffer that never grows. A followed file is read as by
/// `tail -F`: from the start again after it was truncated; and if another file has replaced it at its path,
/// that one as soon as it can be opened. A last line without newline counts when nothing can complete it any
/// more.
final class LineReader {
  enum Mode { case once, follow }
  enum Step: Equatable { case read(Int), idle, ended }
  let name: String
  /// The length of the file at the start; nil for pipes and terminals.
  let size: Int?
  private(set) var lineNumber = 0
  /// Whether a request from this input has been sent; stays true when another file replaces this one.
  var hasBegun = false
  private let (path, mode): ([CChar], Mode)
  private var descriptor: Int32
  private var (offset, filled, isAtEnd, sawReplacement) = (0, 0, false, false)
  private lazy var buffer = [UInt8](repeating: 0, count: 1 << 18)

  init(_ input: Argument, _ mode: Mode) throws(ExitError) {
    let isStandardInput = input.text == "-"
    (path, self.mode, name) = (input.bytes, mode, isStandardInput ? "standard input" : input.text)
    descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw .system(name) }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    // Files are opened when they are read, since there may be more than can be open at the same time.
    guard mode == .once, size != nil, !isStandardInput else { return }
    close(descriptor)
    descriptor = -1
  }
  deinit { close(descriptor) }

  /// Reads a block and calls `body` with the lines it completes. Waits a tenth of a second for a pipe.
  func advance(_ body: (Span<UInt8>) -> Void) throws(ExitError) -> Step {
    isAtEnd = true
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .system(name) }
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard size != nil || poll(&ready, 1, 100) > 0 else { return .idle }
    let count = buffer.withUnsafeMutableBytes { bytes in  // The kernel fills the free part.
      read(descriptor, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
    }
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return .idle }
    guard count >= 0 else { throw .system(name) }
    guard count > 0 else { return try endReached(body) }
    guard offset > 0 || buffer[0] != 0x1f || buffer[1] != 0x8b else {
      throw ExitError(message: "\(name): compressed with gzip; try zcat FILE | logstats -")
    }
    (offset, filled, isAtEnd) = (offset + count, filled + count, false)
    var start = 0
    let bytes = buffer.span.extracting(first: filled)
    while let newline = bytes.firstIndex(of: "\n", from: start) {
      lineNumber += 1
      body(bytes.extracting(start..<newline))
      start = newline + 1
    }
    // Of a line that is too long, just enough is kept to show that it is.
    let rest = start..<min(filled, start + RequestParser.longestLine + 1)
    buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[rest])) }
    filled = rest.count
    return .read(count)
  }

  private func endReached(_ body: (Span<UInt8>) -> Void) throws(ExitError) -> Step {
    var (current, named) = (stat(), stat())
    guard mode == .follow, size != nil, fstat(descriptor, &current) == 0 else {
      finish(body)
      return .ended
    }
    if current.st_size >= offset {
      let isSame = stat(path, &named) != 0 || (named.st_ino, named.st_dev) == (current.st_ino, current.st_dev)
      // The writer may still have the old file open: look there once more before leaving it.
      defer { sawReplacement = !isSame && !sawReplacement }
      guard !isSame && sawReplacement else { return .idle }
      // The new file may not be readable yet: until it is, the old one stays open.
      let replacement = open(path, O_RDONLY | O_NONBLOCK)
      guard replacement >= 0 else { return .idle }
      close(descriptor)
      descriptor = replacement
    }
    finish(body)
    lseek(descriptor, 0, SEEK_SET)
    (offset, lineNumber) = (0, 0)
    return .read(0)
  }

  /// Calls `body` with a last line that has no newline, unless more of the file is still to be read.
  func finish(_ body: (Span<UInt8>) -> Void) {
    guard filled > 0, isAtEnd else { return }
    lineNumber += 1
    body(buffer.span.extracting(first: filled))
    filled = 0
  }
}
