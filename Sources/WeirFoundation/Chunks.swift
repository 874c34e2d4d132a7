// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
public import Weir

extension Signal where Value == [UInt8], Failure == ReadFailure {
  /// What stands in a file, or comes through a named pipe, in pieces, and then the end.
  ///
  /// Each subscription opens the file and reads it from the beginning. It is closed before the end comes, or
  /// soon after disposing. A named pipe is read from the first who opens it to write, for whom nobody but the
  /// thread of the reading waits, until the last one has closed it. Otherwise as ``chunks(of:upTo:)``.
  ///
  /// ReactiveObjC: `-[NSFileHandle rac_readInBackground]`, which keeps all that was read.
  ///
  /// - Parameters:
  ///   - path: of the file. If it has a zero byte, there is no such file.
  ///   - size: the most bytes in a piece; more than 1,048,576 is taken for that.
  /// - Precondition: `size` is positive.
  public static func chunks(ofFile path: String, upTo size: Int = 65_536) -> Signal {
    // Or opening a named pipe would wait for who writes to it, and with it who subscribes.
    chunks(upTo: size, of: path, .open) {
      // The system would take what stands before a zero byte for the whole.
      if path.utf8.contains(0) { errno = ENOENT; return -1 }
      return Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
  }

  /// What comes from a descriptor, such as a pipe, a stream socket, or standard input, which is number 0, in
  /// pieces as they come, and then the end.
  ///
  /// ```swift
  /// Signal.chunks(of: STDIN_FILENO).lines().subscribe(next: { print($0) }, failed: { print($0) })
  /// ```
  ///
  /// Each subscription goes on where the descriptor stands, with a duplicate of it: the descriptor stays the
  /// caller's, who may close it at any time after subscribing, and who must not read it otherwise meanwhile.
  /// Disposing stops reading, soon after; a piece that was read and not delivered is lost then. Fails with
  /// the error of the system.
  ///
  /// One subscription at a time: of several, each gets some of the pieces, and one that is being disposed, as
  /// by `flatMap(.latest)`, may still take what has come, and drop it. Of a pipe or a socket that is all. A
  /// terminal, a named pipe that was opened to block, and a pipe in an old kernel cannot be asked for just
  /// what has come: if another reading was faster, this one waits for the next piece. Disposing does not
  /// reach it there, until it has taken that piece and dropped it.
  ///
  /// Delivered on a thread of the subscription's own, one piece at a time. The next one is not read before
  /// this one has been delivered: so at most `size` bytes are in memory, and a slow subscriber slows the
  /// other end of a pipe down, unless values wait in between, as behind `values()` or `observe(on:)`, or,
  /// without a bound, behind an operator with a timer or with several upstreams. The thread may be blocked by
  /// who receives here, as by a `doNext` above such an operator: see "Read a pipe no faster than you write"
  /// in Weir's recipes.
  ///
  /// A thread, three descriptors and two calls of the system a piece, or four from a terminal or a named
  /// pipe, are fine for files, pipes and standard input; a server of many sockets wants a library for that,
  /// such as SwiftNIO.
  ///
  /// ReactiveObjC: `-[NSFileHandle rac_readInBackground]`, which keeps all that was read.
  ///
  /// - Parameters:
  ///   - descriptor: open for reading.
  ///   - size: the most bytes in a piece; more than 1,048,576 is taken for that.
  /// - Precondition: `size` is positive, and the system does not refuse the thread.
  public static func chunks(of descriptor: Int32, upTo size: Int = 65_536) -> Signal {
    // The caller may close it, and the number mean something else, while the thread that reads still waits.
    chunks(upTo: size, of: "descriptor \(descriptor)", .duplicate) {
      if fcntl(descriptor, F_GETFL) & O_ACCMODE == O_WRONLY { errno = EBADF; return -1 }
      return fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }
  }

  private static func chunks(
    upTo size: Int, of source: String, _ operation: ReadFailure.Operation,
    open: @escaping @Sendable () -> Int32
  ) -> Signal {
    precondition(size > 0, "weir: chunks(upTo: \(size)): a piece must have room for a byte")
    return .create { observer in
      let descriptor = open()
      guard descriptor >= 0,
        let reader = ChunkReader(owning: descriptor, Swift.min(size, largestPiece), source, observer)
      else {
        observer.fail(ReadFailure(source: source, operation: operation, code: errno))
        return nil
      }
      reader.begin()
      return ActionDisposable { reader.end() }
    }
  }
}

/// Each reading takes room for a whole piece.
private let largestPiece = 1_048_576
