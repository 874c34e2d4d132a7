// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import WeirFoundation

/// Errors of reading, as a user's tests make them.
struct ReadErrorTests {
  @Test("a read error says what failed, for what reason, and what can be done about it")
  func words() {
    let file = ReadError(source: .file("log"), operation: .open, code: EMFILE)
    #expect(
      file.description
        == "log: cannot open it: Too many open files (errno 24); "
        + "raise the limit of open files (ulimit -n), or read fewer at a time")
    let attempts: [(ReadError.Operation, String)] = [
      (.open, "open"), (.duplicate, "duplicate"), (.prepare, "prepare to read"), (.read, "read"),
    ]
    for (operation, attempt) in attempts {
      let error = ReadError(source: .descriptor(5), operation: operation, code: EIO)
      #expect(error.description == "descriptor 5: cannot \(attempt) it: Input/output error (errno 5)")
    }
  }

  @Test("read errors may be elements of a set")
  func hashing() {
    let errors = [Int32(EIO), EIO, EMFILE].map { ReadError(source: .file("log"), operation: .read, code: $0) }
    #expect(Set(errors).count == 2)
  }
}
