// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// What only the program shows, run as from a shell.
@Suite struct ProgramTests {
  private let folder = TemporaryFolder()

  /// Nobody reads on. The output that is still to come is many times what the pipe holds: lines of windows,
  /// which come before the signal, or the summary, which comes after it.
  @Test(arguments: [(SIGINT, 2000, "5"), (SIGTERM, 2000, "5"), (SIGINT, 2, "1000"), (SIGTERM, 2, "1000")])
  func aSignalEndsItThoughNobodyReads(signal: Int32, windows: Int, top: String) throws {
    let long = String(repeating: "x", count: 100)
    let lines = (0..<2000).map { line(second: $0 % windows, route: "/\(long)\($0)") }.sorted()
    try folder.write(lines.joined(separator: "\n") + "\n", to: "log")
    let output = Pipe()
    // Tests that a script runs in the background are started with SIGINT ignored, and so is what they start.
    Glibc.signal(signal, SIG_DFL)
    let program = try started(["--follow", "--window", "1s", "--top", top, folder.file("log")], to: output)
    // From its second line on, that of a window, it keeps signals back.
    var newlines = 0
    while newlines < 2, let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      newlines += byte == 10 ? 1 : 0
    }
    kill(program.processIdentifier, signal)
    program.waitUntilExit()
    #expect(program.terminationReason == .exit)
    #expect(program.terminationStatus == 128 + signal)
  }

  @Test func itEndsQuietlyIfTheReaderHasGone() throws {
    try folder.write(line(second: 0), to: "log")
    let output = Pipe()
    try output.fileHandleForReading.close()
    let program = try started([folder.file("log")], to: output)
    program.waitUntilExit()
    #expect(program.terminationReason == .exit && program.terminationStatus == 0)
  }

  @Test func outputThatCannotBeWrittenIsAnError() throws {
    try folder.write(line(second: 0), to: "log")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let program = try started([folder.file("log")], to: full)
    program.waitUntilExit()
    #expect(program.terminationReason == .exit && program.terminationStatus == 74)
  }

  @Test func moreFilesThanAProcessMayOpen() throws {
    let names = (0..<100).map { "log\($0)" }
    for name in names { try folder.write(line(second: 0) + "\n", to: name) }
    let output = Pipe()
    let command = #"ulimit -n 40; exec "$0" --json "$@""#
    let arguments = ["-c", command, Self.path] + names.map(folder.file)
    let program = try started(arguments, to: output, as: "/bin/sh")
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    #expect(program.terminationStatus == 0)
    #expect(text.contains(#""requests":100,"#))
  }

  @Test func noneIsReadIfOneIsMissing() throws {
    try folder.write(line(second: 0), to: "log")
    let (output, errors) = (Pipe(), Pipe())
    let names = [folder.file("log"), folder.file("none\u{1B}[31m")]
    let program = try started(names, to: output, errors: errors)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    #expect(program.terminationStatus == 2)
    #expect(
      text == "logstats: \(folder.file("none\u{FFFD}[31m")): No such file or directory; check its path\n")
    #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
  }

  @Test func anInputWithoutAnyRequestIsAnError() throws {
    try folder.write("\u{FD}7zXZ\nnot a log\n\n", to: "xz")
    let errors = Pipe()
    let program = try started(["--json", folder.file("xz")], to: FileHandle.nullDevice, errors: errors)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    #expect(program.terminationStatus == 65)
    #expect(text.hasPrefix("logstats: \(folder.file("xz")):1: fewer than seven fields; none of 2 lines"))
  }

  @Test func theSummaryNamesWhatCouldNotBeRead() throws {
    try folder.write(line(second: 0) + "\n", to: "log")
    try Data([0x1f, 0x8b, 8, 0]).write(to: URL(fileURLWithPath: folder.file("gz")))
    let output = Pipe()
    let program = try started(["--json", folder.file("log"), folder.file("gz")], to: output)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    #expect(program.terminationStatus == 2)
    #expect(text.contains(#""unreadable":[{"error":"\#(folder.file("gz")): compressed with gzip"#))
  }

  /// With a followed input, the second one would be read while the first one pauses.
  @Test func howFastAPipeIsWrittenDoesNotMatter() throws {
    try folder.write((0..<3).map { line(second: 30 + $0) + "\n" }.joined(), to: "log")
    try folder.write(line(second: 0) + "\n", to: "start")
    // The rest comes when the program has waited for it for a while.
    try folder.write((0..<9).map { line(second: $0) + "\n" }.joined(), to: "rest")
    let command = #"(cat "$1/start"; sleep 0.4; cat "$1/rest") | "$0" --json - "$1/log""#
    let output = Pipe()
    let program = try started(["-c", command, Self.path, folder.path], to: output, as: "/bin/sh")
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    #expect(text.contains(#""peak_rate":1,"peak_start":"2026-03-02T12:00:00Z""#))
  }

  /// As a shell starts a job in the background, so that Ctrl-C does not end it.
  @Test func aSignalThatItWasStartedToIgnoreIsIgnored() throws {
    try folder.write(line(second: 0) + "\n", to: "log")
    let output = Pipe()
    let command = #"trap '' INT; exec "$0" --follow --window 1s "$1""#
    let program = try started(["-c", command, Self.path, folder.file("log")], to: output, as: "/bin/sh")
    // It has begun when the first window is out.
    var newlines = 0
    while newlines < 2, let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      newlines += byte == 10 ? 1 : 0
    }
    kill(program.processIdentifier, SIGINT)
    kill(program.processIdentifier, SIGTERM)
    program.waitUntilExit()
    #expect(program.terminationStatus == 128 + SIGTERM)
  }

  @Test func onATerminalAnErrorIsNotErasedWithTheTable() throws {
    try folder.write(line(second: 0) + "\n", to: "log")
    try Data([0x1f, 0x8b, 8, 0]).write(to: URL(fileURLWithPath: folder.file("gz")))
    let (terminal, output) = try Self.terminal()
    let program = try started([folder.file("log"), folder.file("gz")], to: output, errors: output)
    try output.close()
    var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    // Once nobody has the other end open any more, reading fails.
    while case let count = read(terminal.fileDescriptor, &block, block.count), count > 0 {
      bytes += block.prefix(count)
    }
    program.waitUntilExit()
    #expect(program.terminationStatus == 2)
    let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}[J")
    // The table that the error replaces, the error, and the table that is printed at the end.
    try #require(parts.count >= 2)
    #expect(parts[1].hasPrefix("logstats: \(folder.file("gz")): compressed with gzip"))
  }

  @Test func aNameThatIsNotUTF8() throws {
    try folder.write(line(second: 0), to: "log")
    let output = Pipe()
    // The shell makes the name: no name that Foundation passes on can hold the byte.
    let command = #"name=$1/caf$(printf '\351').log; mv "$1/log" "$name"; exec "$0" --json "$name""#
    let program = try started(["-c", command, Self.path, folder.path], to: output, as: "/bin/sh")
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    #expect(program.terminationStatus == 0)
    #expect(text.hasPrefix(#"{"input":"\#(folder.path)/caf\#u{FFFD}.log","requests":1,"#))
  }

  /// A terminal and its other end, which a program writes to. Glibc declares the functions for that only if a
  /// macro is set.
  private static func terminal() throws -> (FileHandle, FileHandle) {
    let terminal = try #require(FileHandle(forUpdatingAtPath: "/dev/ptmx"))
    var (number, locked): (Int32, Int32) = (0, 0)
    let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
    try #require(ioctl(terminal.fileDescriptor, unlock, &locked) == 0)
    try #require(ioctl(terminal.fileDescriptor, getNumber, &number) == 0)
    let end = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(end >= 0)
    return (terminal, FileHandle(fileDescriptor: end, closeOnDealloc: true))
  }

  /// It is built beside the tests.
  private static var path: String {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: "logstats").path
  }

  private func started(
    _ arguments: [String], to output: Any, errors: Any? = nil, as path: String = Self.path
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors ?? FileHandle.nullDevice
    try process.run()
    return process
  }
}
