// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

@testable import logstats

@Suite struct LineReaderTests {
  private let folder = TemporaryFolder()

  private func reader(_ name: String, _ mode: LineReader.Mode) throws -> LineReader {
    try LineReader(Argument(folder.file(name)), mode)
  }

  @Test func aLastLineWithoutNewlineCountsAtTheEnd() throws {
    try folder.write("a\nb", to: "log")
    let reader = try reader("log", .once)
    var lines: [String] = []
    #expect(try reader.advance { lines.append($0.string) } == .read(3))
    #expect(lines == ["a"])
    #expect(try reader.advance { lines.append($0.string) } == .ended)
    #expect(lines == ["a", "b"])
    #expect(reader.lineNumber == 2)
  }

  @Test func linesAcrossBlocks() throws {
    let lines = (0..<60_000).map { "line number \($0)" }
    try folder.write(lines.joined(separator: "\n") + "\n", to: "log")
    #expect(try reader("log", .once).drain() == lines)
  }

  @Test func aLineOfManyMegabytesIsCutNotKept() throws {
    let long = String(repeating: "x", count: 3_000_000)
    try folder.write("a\n\(long)\nb\n", to: "log")
    let lines = try reader("log", .once).drain()
    #expect(lines.count == 3)
    #expect(lines.first == "a" && lines.last == "b")
    #expect((65_537..<400_000).contains(lines[1].utf8.count))
    #expect(throws: Malformed.tooLong) { try parse(lines[1]) }
  }

  @Test func followsGrowth() throws {
    try folder.write("a\nb", to: "log")
    let reader = try reader("log", .follow)
    #expect(try reader.drain() == ["a"])
    try folder.append("c\nd\n", to: "log")
    #expect(try reader.drain() == ["bc", "d"])
    #expect(try reader.advance { _ in } == .idle)
  }

  @Test func followsThroughRotation() throws {
    try folder.write("1\n2\n", to: "log")
    let reader = try reader("log", .follow)
    #expect(try reader.drain() == ["1", "2"])
    #expect(rename(folder.file("log"), folder.file("log.1")) == 0)
    #expect(try reader.drain().isEmpty)  // nothing has the name yet
    try folder.append("3\n", to: "log.1")
    try folder.write("5\n", to: "log")
    #expect(try reader.drain() == ["3"])
    try folder.append("4", to: "log.1")  // the writer finishes after the new file is there
    #expect(try reader.drain() == ["4", "5"])
    #expect(reader.lineNumber == 1)
    try folder.append("6\n", to: "log")
    #expect(try reader.drain() == ["6"])
  }

  @Test func aNewFileThatCannotBeOpenedYetIsWaitedFor() throws {
    try folder.write("1\n2", to: "log")
    let reader = try reader("log", .follow)
    #expect(try reader.drain() == ["1"])
    #expect(rename(folder.file("log"), folder.file("log.1")) == 0)
    // A socket nobody may open, root included, for whom no file is unreadable.
    #expect(mknod(folder.file("log"), S_IFSOCK, 0) == 0)
    for _ in 0..<4 { #expect(try reader.drain().isEmpty) }
    try folder.append("3\n4", to: "log.1")  // meanwhile the old file is read on
    #expect(try reader.drain() == ["23"])
    #expect(unlink(folder.file("log")) == 0)
    try folder.write("5\n", to: "log")
    #expect(try (0..<3).flatMap { _ in try reader.drain() } == ["4", "5"])
    #expect(reader.lineNumber == 1)
  }

  @Test func followsThroughTruncation() throws {
    try folder.write("one\ntwo\nthr", to: "log")
    let reader = try reader("log", .follow)
    #expect(try reader.drain() == ["one", "two"])
    #expect(truncate(folder.file("log"), 0) == 0)
    #expect(try reader.drain() == ["thr"])
    try folder.append("four\n", to: "log")
    #expect(try reader.drain() == ["four"])
    #expect(reader.lineNumber == 1)
  }

  @Test func unreadableInputsAreNamed() throws {
    let missing = #expect(throws: ExitError.self) { try reader("none", .once) }
    #expect(missing?.message == folder.file("none") + ": No such file or directory; check its path")
    #expect(missing?.status == 2)
    let directory = #expect(throws: ExitError.self) { try reader(".", .once).drain() }
    #expect(directory?.message == folder.file(".") + ": Is a directory; name the files in it")
    try Data([0x1f, 0x8b, 8, 0]).write(to: URL(fileURLWithPath: folder.file("log.gz")))
    let compressed = #expect(throws: ExitError.self) { try reader("log.gz", .once).drain() }
    #expect(compressed?.message.contains("gzip") == true)
  }
}
