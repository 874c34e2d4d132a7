// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// Why the program stops early.
struct ExitError: Error {
  let message: String
  var status: Int32 = 2
  static func misuse(_ text: String) -> Self { .init(message: "\(text); see logstats --help", status: 64) }
  /// The system error in `errno`, for the file `name`.
  static func system(_ name: String, _ status: Int32 = 2) -> ExitError {
    let remedies = [
      ENOENT: "; check its path", EISDIR: "; name the files in it",
      EACCES: "; give yourself the right to read it, or pipe it: sudo cat FILE | logstats -",
      ENOSPC: "; make room there",
    ]
    let reason = String(cString: strerror(errno))
    return ExitError(message: "\(name): \(reason)\(remedies[errno] ?? "")", status: status)
  }
  /// Prints the message and returns the status.
  @discardableResult
  func report() -> Int32 {
    // The name of a file may have control characters.
    let line = "logstats: \(cleaned(message))\n"
    write(STDERR_FILENO, line, line.utf8.count)
    return status
  }
}
