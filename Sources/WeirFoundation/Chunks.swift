// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
public import Weir

extension Signal where Value == [UInt8], Failure == ReadError {
  /// The contents of a file, or what comes through a named pipe, in pieces, and then completion.
  ///
  /// Each subscription opens the file and reads it from the start. The file is closed before the terminal
  /// event, or soon after disposing. A named pipe is read from when the first writer opens it until the last
  /// one has closed it; only the reading thread waits for the first writer. Otherwise as
  /// ``chunks(of:upTo:)``.
  ///
  /// - Parameters:
  ///   - path: the path of the file. With a zero byte in it, opening fails with `ENOENT`.
  ///   - size: the most bytes in a piece; a larger number than 1,048,576 counts as that.
  /// - Precondition: `size` is positive, and the system does not refuse the thread.
  ///
  /// ReactiveObjC: `-[NSFileHandle rac_readInBackground]`, which keeps all that was read.
  public static func chunks(ofFile path: String, upTo size: Int = 65_536) -> Signal {
    let source = ReadError.Source.file(path)
    return chunks(upTo: size, of: source) { () throws(ReadError) in
      // The system would take the part before a zero byte for the whole path.
      if path.utf8.contains(0) { throw ReadError(source: source, operation: .open, code: ENOENT) }
      // Non-blocking, or opening a named pipe would wait for a writer, and so would subscribing.
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      if descriptor < 0 { throw ReadError(source: source, operation: .open, code: errno) }
      return descriptor
    }
  }

  /// The data from a descriptor, such as that of a pipe, a stream socket, or standard input (number 0), in
  /// pieces as they come, and then completion.
  ///
  /// ```swift
  /// Signal.chunks(of: STDIN_FILENO).lines().subscribe(next: { print($0) }, failed: { print($0) })
  /// ```
  ///
  /// Each subscription reads on from the current position, through a duplicate of the descriptor. The
  /// descriptor stays the caller's, who may close it at any time after subscribing, and must not read from it
  /// meanwhile. Disposing stops the reading, soon after; a piece that was read and not delivered is lost.
  /// Fails with the error of the system.
  ///
  /// Subscribe once at a time: several subscriptions share the pieces, and one that is being disposed, as by
  /// `flatMap(.latest)`, may still read one and drop it. Where the system cannot read without blocking
  /// (terminals, blocking named pipes, old kernels), a disposed subscription still takes one more piece,
  /// whenever that comes, and drops it.
  ///
  /// Delivered on a thread of the subscription's own, one piece at a time. Only what fails before the first
  /// read is delivered inside `subscribe`: opening the file, duplicating the descriptor, making the pipe that
  /// wakes the thread; and a descriptor that is open for writing only. The next piece is not read before this
  /// one has been delivered: so at most `size` bytes are in memory, and a slow subscriber slows down the
  /// other end of a pipe, unless values are buffered in between: up to a bound by `values()` or
  /// `observe(on:)`, without a bound by an operator with a timer or with several upstreams. Code that
  /// receives on this thread may block it, such as a `doNext` upstream of such an operator: see "Read a pipe
  /// no faster than you write" in Weir's recipes.
  ///
  /// A subscription takes a thread, three descriptors and two system calls for a piece, or four with a
  /// terminal or a named pipe. That is fine for files, pipes and standard input; a server with many sockets
  /// needs a library for them, such as SwiftNIO.
  ///
  /// - Parameters:
  ///   - descriptor: open for reading.
  ///   - size: the most bytes in a piece; a larger number than 1,048,576 counts as that.
  /// - Precondition: `size` is positive, and the system does not refuse the thread.
  ///
  /// ReactiveObjC: `-[NSFileHandle rac_readInBackground]`, which keeps all that was read.
  public static func chunks(of descriptor: Int32, upTo size: Int = 65_536) -> Signal {
    let source = ReadError.Source.descriptor(descriptor)
    return chunks(upTo: size, of: source) { () throws(ReadError) in
      if fcntl(descriptor, F_GETFL) & O_ACCMODE == O_WRONLY {
        throw ReadError(source: source, operation: .read, code: EBADF)
      }
      // As the caller may close the descriptor, and its number be reused, while the thread still waits.
      let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      if duplicate < 0 { throw ReadError(source: source, operation: .duplicate, code: errno) }
      return duplicate
    }
  }

  /// - Parameter open: returns a descriptor, which is closed when the subscription has ended.
  private static func chunks(
    upTo size: Int, of source: ReadError.Source, open: @escaping @Sendable () throws(ReadError) -> Int32
  ) -> Signal {
    require(size > 0, "weir: chunks(upTo: \(size)): a piece must have room for a byte")
    return .create { observer in
      do throws(ReadError) {
        let reader = try ChunkReader(owning: open(), Swift.min(size, largestPiece), source, observer)
        reader.begin()
        return ActionDisposable { reader.end() }
      } catch {
        observer.fail(error)
        return nil
      }
    }
  }
}

/// Each read allocates memory for a whole piece.
private let largestPiece = 1_048_576
