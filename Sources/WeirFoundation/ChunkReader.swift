// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirSystem
import Glibc
import Weir

/// Reads a descriptor that it owns, a piece at a time, on a thread of its own, which waits in `poll` for more
/// to read, or for `end()`.
///
/// Dispatch has threads for this. But on Linux a `DispatchIO` does not always release the handler of a
/// stopped read operation, and a source cancelled while the other end of its pipe closed has crashed the
/// thread that serves all sources (libdispatch of Swift 6.3).
///
/// If others read from the same descriptor, the data may be gone when it reads; so it does not block in
/// `read`, where nothing could wake it, as far as the system allows.
///
/// Ownership: the thread closes `descriptor` when it is done, and nothing else uses it. The pipe that wakes
/// the thread lives as long as the reader, which the thread and the subscription retain, so nothing is
/// written to a reused number.
final class ChunkReader: Sendable {
  private let descriptor: Int32
  private let size: Int
  private let source: ReadError.Source
  private let observer: Observer<[UInt8], ReadError>
  private let awaited: Int32
  private let waking: Int32
  private let isFile: Bool

  /// Throws if the system has no descriptors left; then `descriptor` is closed.
  init(
    owning descriptor: Int32, _ size: Int, _ source: ReadError.Source,
    _ observer: Observer<[UInt8], ReadError>
  ) throws(ReadError) {
    var ends: [Int32] = [0, 0]
    guard weir_pipe(&ends) else {
      let code = errno
      close(descriptor)
      throw ReadError(source: source, operation: .prepare, code: code)
    }
    (self.descriptor, self.size, self.source, self.observer) = (descriptor, size, source, observer)
    (awaited, waking) = (ends[0], ends[1])
    // Reading a file never waits for data, even if it takes a while.
    var status = stat()
    isFile = fstat(descriptor, &status) == 0 && [S_IFREG, S_IFBLK].contains(status.st_mode & S_IFMT)
  }

  deinit {
    close(awaited)
    close(waking)
  }

  func begin() {
    SystemThread.start(named: "weir-chunks") { [self] in
      var end: Completion<ReadError>?
      reading: while end == nil {
        switch awaitMore() {
        case .readable: end = readPiece()
        case .ended: break reading
        case .failed(let code): end = failure(code)
        }
      }
      close(descriptor)
      if let end { observer.terminate(end) }
    }
  }

  func end() { _ = write(waking, "", 1) }

  private enum Waited {
    case readable
    /// `end()` was called.
    case ended
    case failed(Int32)
  }

  /// Waits until there is something to read, the input ends, or `end()` is called.
  private func awaitMore() -> Waited {
    let interest = Int16(POLLIN)
    var both = [
      pollfd(fd: descriptor, events: interest, revents: 0), pollfd(fd: awaited, events: interest, revents: 0),
    ]
    while poll(&both, 2, -1) < 0 {
      // Else it was interrupted by a signal of the system.
      if errno != EINTR { return .failed(errno) }
    }
    return both[1].revents == 0 ? .readable : .ended
  }

  private func failure(_ code: Int32) -> Completion<ReadError> {
    .failed(ReadError(source: source, operation: .read, code: code))
  }

  /// Reads a piece and sends it.
  ///
  /// - Returns: the terminal event, if it was that.
  private func readPiece() -> Completion<ReadError>? {
    var code: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: size) { room, count in
      let length =
        isFile
        ? read(descriptor, room.baseAddress, room.count)
        : weir_read_at_once(descriptor, room.baseAddress, room.count)
      if length < 0 { code = errno }
      count = max(length, 0)
    }
    switch code {
    case EINTR, EAGAIN:  // another reader has taken the data
      return nil
    case 0:
      if piece.isEmpty { return .completed }
      // A short piece is copied, so that it does not hold the memory of a whole one.
      observer.send(piece.count * 2 > size ? piece : piece.withUnsafeBufferPointer { Array($0) })
      return nil
    default: return failure(code)
    }
  }
}
