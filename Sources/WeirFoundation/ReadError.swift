// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// Why something could not be read. ReactiveObjC has none.
public struct ReadError: Error, Hashable, CustomStringConvertible {
  /// What was to be read.
  @nonexhaustive
  public enum Source: Hashable, Sendable, CustomStringConvertible {
    /// The file with this path.
    case file(String)
    /// This descriptor of the caller's.
    case descriptor(Int32)

    /// The path, or "descriptor 5".
    public var description: String {
      switch self {
      case .file(let path): path
      case .descriptor(let number): "descriptor \(number)"
      }
    }
  }

  /// What failed.
  @nonexhaustive
  public enum Operation: Sendable {
    /// Opening a file.
    case open
    /// Duplicating a descriptor of the caller's.
    case duplicate
    /// Making the pipe that wakes the reading thread, once the file or the duplicate was open.
    case prepare
    /// Reading from a file or a descriptor.
    case read
  }

  /// What was to be read.
  public let source: Source
  /// What failed.
  public let operation: Operation
  /// The error of the system, a value of `errno`.
  public let code: Int32

  /// An error as reading delivers it, for tests of what handles it.
  public init(source: Source, operation: Operation, code: Int32) {
    self.source = source
    self.operation = operation
    self.code = code
  }

  /// What failed, for what reason, and what can be done about it.
  public var description: String {
    let reason = String(cString: strerror(code))
    return "\(source): cannot \(attempt) it: \(reason) (errno \(code))\(remedy)"
  }

  private var attempt: String {
    switch operation {
    case .open: "open"
    case .duplicate: "duplicate"
    case .prepare: "prepare to read"
    case .read: "read"
    }
  }

  private var remedy: String {
    switch code {
    case ENOENT: "; check the path: if it does not start with /, it is relative to the working directory"
    case EACCES, EPERM: "; give the user that runs the program the right to read it"
    case EISDIR: "; name a file, not a directory"
    case EBADF:
      "; pass a descriptor that is open for reading, and leave it open until the subscription has begun"
    case EMFILE, ENFILE: "; raise the limit of open files (ulimit -n), or read fewer at a time"
    default: ""
    }
  }
}
