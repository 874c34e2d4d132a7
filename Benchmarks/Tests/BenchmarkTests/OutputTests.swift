// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Printed output")
struct OutputTests {
  @Test(
    "A program whose output cannot be written exits with 74 and says why",
    arguments: [
      ("WeirBench", ["--list"]), ("WeirBench", ["--help"]),
      ("WeirBench", ["--repetitions", "1", "--milliseconds", "1", "--only", "atomic-load"]),
      ("HopBench", ["--list"]), ("WeirMemory", []),
      ("WeirMemory", ["--help"]), ("WeirSoak", ["1"]), ("WeirSoak", ["--help"]),
      ("WeirServer", ["--port", "0"]),
      ("ServerLoad", ["--in-process", "weir", "--subscribers", "1", "--milliseconds", "10"]),
    ])
  func unwritable(_ program: String, _ arguments: [String]) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let (process, errors) = (Process(), Pipe())
    // It is built beside the tests.
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: program)
    process.arguments = arguments
    process.standardOutput = full
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 74)
    #expect(text.hasSuffix("\(program): standard output: No space left on device\n"))
  }
}
