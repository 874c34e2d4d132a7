// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
public import Weir

extension Signal where Value == [UInt8], Failure == ReadFailure {
  /// What stands in a file, or comes through a named pipe, in pieces, and then the end.
  ///
  /// Each subscription opens the file, on its own thread, and reads it from the beginning; disposing closes it. (Opening a named pipe waits for
  /// who writes to it.) Otherwise as ``chunks(of:upTo:)``.
  ///
  /// ReactiveObjC: `-[NSFileHandle rac_readInBackground]`, which keeps all that was read.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - size: the most bytes in a piece.
  public static func chunks(ofFile path: String, upTo size: Int = 65_536) -> Signal {
    chunks(
      upTo: size, named: path,
      open: {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 { return .success(descriptor) }
        return .failure(ReadFailure(source: path, operation: .open, code: errno))
      }, close: { _ = Glibc.close($0) })
  }

  /// What comes from a descriptor, such as a pipe, a socket, or standard input, which is number 0, in pieces as they come, and then the end.
  ///
  /// ```swift
  /// Signal.chunks(of: STDIN_FILENO).lines().subscribe(next: { print($0) }, failed: { print($0) })
  /// ```
  ///
  /// Each subscription goes on where the descriptor stands; it is the caller's, who closes it, and who must not read it otherwise meanwhile.
  /// Disposing stops reading; what was read and not delivered is lost then. Fails with the error of the system.
  ///
  /// Delivered on a queue of Dispatch, one piece at a time. The next one is not asked for before all of this one has been delivered: so at most
  /// `size` bytes wait, and a slow subscriber slows the other end of a pipe down.
  ///
  /// ReactiveObjC: `-[NSFileHandle rac_readInBackground]`, which keeps all that was read.
  ///
  /// - Parameters:
  ///   - descriptor: open for reading.
  ///   - size: the most bytes in a piece.
  public static func chunks(of descriptor: Int32, upTo size: Int = 65_536) -> Signal {
    chunks(
      upTo: size, named: "descriptor \(descriptor)", open: { .success(descriptor) }, close: { _ in })
  }

  private static func chunks(
    upTo size: Int, named name: String, open: @escaping @Sendable () -> Result<Int32, ReadFailure>,
    close: @escaping @Sendable (Int32) -> Void
  ) -> Signal {
    precondition(size > 0, "weir: chunks(upTo: \(size)): a piece must have room for a byte")
    return .create { observer in
      switch open() {
      case .failure(let failure):
        observer.fail(failure)
        return nil
      case .success(let descriptor):
        let reader = ChunkReader(descriptor, size, name, observer) { close(descriptor) }
        reader.readOn()
        return ActionDisposable { reader.stop() }
      }
    }
  }
}

/// Reads one piece after the other.
private final class ChunkReader: @unchecked Sendable {
  // Unchecked: `hasData` is touched on the queue only; a channel of Dispatch may be used from any thread.
  private let channel: DispatchIO
  private let queue = DispatchQueue(label: "weir.chunks")
  private let size: Int
  private let name: String
  private let observer: Observer<[UInt8], ReadFailure>
  private var hasData = false

  init(
    _ descriptor: Int32, _ size: Int, _ name: String, _ observer: Observer<[UInt8], ReadFailure>,
    closed: @escaping @Sendable () -> Void
  ) {
    self.size = size
    self.name = name
    self.observer = observer
    // A channel for a stream reads where the descriptor stands, also in a file.
    channel = DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { _ in closed() }
    // As soon as there is anything: a pipe may have no more for long.
    channel.setLimit(lowWater: 1)
  }

  func readOn() {
    hasData = false
    channel.read(offset: 0, length: size, queue: queue) { [self] isDone, data, code in
      if let data, !data.isEmpty {
        hasData = true
        observer.send([UInt8](data))
      }
      guard isDone else { return }
      if code == ECANCELED { return }
      if code != 0 {
        observer.fail(ReadFailure(source: name, operation: .read, code: code))
      } else if hasData {
        readOn()
      } else {
        observer.complete()
      }
    }
  }

  func stop() { channel.close(flags: .stop) }
}
