// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

@testable import logstats

/// Parses one line, as a test would write it.
func parse(_ line: String) throws -> Request {
  var parser = RequestParser()
  let bytes = Array(line.utf8)
  return try #require(try parser.parse(bytes.span))
}

/// A folder that is removed with the test.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/logstats-XXXXXX".utf8CString)
    _ = mkdtemp(&template)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
  }

  func append(_ text: String, to name: String) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }
}

extension Options {
  init(_ arguments: [String]) throws { self = try Options(arguments.map(Argument.init)) }
}

extension LineReader {
  /// Steps until there is nothing to read, and returns the lines that came.
  func drain() throws -> [String] {
    var lines: [String] = []
    while case .read = try advance({ lines.append($0.string) }) {}
    return lines
  }
}

/// A combined line of the given second after noon.
func line(second: Int, status: Int = 200, client: String = "10.0.0.1", route: String = "/") -> String {
  let clock = "12:\(String(second / 60 + 100).dropFirst()):\(String(second % 60 + 100).dropFirst())"
  return
    "\(client) - - [02/Mar/2026:\(clock) +0000] \"GET \(route) HTTP/1.1\" \(status) 10 \"-\" \"curl\" 0.050"
}

/// What a session makes of inputs with these texts, as in the program.
func analyse(_ texts: String...) throws -> Pipeline {
  let folder = TemporaryFolder()
  let names = texts.indices.map { "log\($0)" }
  for (name, text) in zip(names, texts) { try folder.write(text, to: name) }
  let pipeline = Pipeline(window: 10)
  let session = try Session(pipeline, names.map { Argument(folder.file($0)) }, .once)
  #expect(session.run(closingWindowsAfter: .seconds(3600)) == 0)
  return pipeline
}
