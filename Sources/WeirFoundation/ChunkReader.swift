// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirSystem
import Glibc
import Weir

/// Reads a descriptor that it owns, a piece at a time, on a thread of its own, which waits in `poll` for the
/// next one, or for being ended.
///
/// Dispatch would lend its threads. But on Linux a `DispatchIO` releases the handler of a reading that is
/// stopped in most cases only, and a source that is cancelled while the other end of its pipe closes has
/// crashed in the thread that serves all sources (libdispatch of Swift 6.3).
///
/// What there is to read may be gone when it reads, if others do as well; so it does not wait in `read`,
/// where nothing wakes it, as far as the system has a way.
///
/// Who owns what: the thread closes `descriptor` when it is done, and nobody else uses it. The pipe that
/// wakes it lives as long as the reader, which the thread and the subscription hold, so nobody writes to a
/// number that means something else by then.
final class ChunkReader: Sendable {
  private let descriptor: Int32
  private let size: Int
  private let source: String
  private let observer: Observer<[UInt8], ReadFailure>
  private let awaited: Int32
  private let waking: Int32
  private let isFile: Bool

  /// - Returns: nothing if the system has no descriptors left, which `errno` tells; `descriptor` is closed
  ///   then.
  init?(owning descriptor: Int32, _ size: Int, _ source: String, _ observer: Observer<[UInt8], ReadFailure>) {
    var ends: [Int32] = [0, 0]
    guard weir_pipe(&ends) else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    (self.descriptor, self.size, self.source, self.observer) = (descriptor, size, source, observer)
    (awaited, waking) = (ends[0], ends[1])
    // A file can always be read, also if that takes a while.
    var status = stat()
    isFile = fstat(descriptor, &status) == 0 && [S_IFREG, S_IFBLK].contains(status.st_mode & S_IFMT)
  }

  deinit {
    close(awaited)
    close(waking)
  }

  func begin() {
    SystemThread.start(named: "weir-chunks") { [self] in
      var end: Completion<ReadFailure>?
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
    /// Somebody has ended this.
    case ended
    case failed(Int32)
  }

  /// Waits until there is something to read, or the end of it.
  private func awaitMore() -> Waited {
    let interest = Int16(POLLIN)
    var both = [
      pollfd(fd: descriptor, events: interest, revents: 0), pollfd(fd: awaited, events: interest, revents: 0),
    ]
    while poll(&both, 2, -1) < 0 {
      // Or interrupted by a signal of the system.
      if errno != EINTR { return .failed(errno) }
    }
    return both[1].revents == 0 ? .readable : .ended
  }

  private func failure(_ code: Int32) -> Completion<ReadFailure> {
    .failed(ReadFailure(source: source, operation: .read, code: code))
  }

  /// - Returns: the end, if it was that.
  private func readPiece() -> Completion<ReadFailure>? {
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
    case EINTR, EAGAIN:  // somebody else has read what was there
      return nil
    case 0:
      if piece.isEmpty { return .finished }
      // What is short does not hold on to the room of a whole piece.
      observer.send(piece.count * 2 > size ? piece : piece.withUnsafeBufferPointer { Array($0) })
      return nil
    default: return failure(code)
    }
  }
}
