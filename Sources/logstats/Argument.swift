// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// A word of the command line. A file name is bytes, which need not be UTF-8.
struct Argument: Sendable {
  /// With a terminating zero, for the system.
  let bytes: [CChar]
  /// For display and comparison; bytes that are not UTF-8 are replaced.
  let text: String
  init(_ text: String) { (bytes, self.text) = (Array(text.utf8CString), text) }
  private init(_ word: UnsafePointer<CChar>) {
    bytes = Array(UnsafeBufferPointer(start: word, count: strlen(word) + 1))
    text = String(cString: word)
  }

  /// The arguments that the program was started with, without its name.
  static var all: [Argument] {
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { CommandLine.unsafeArgv[$0].map { Argument($0) } }
  }
}
