// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The checklist of Reactive Streams and the page of proofs name only what exists.
struct ChecklistTests {
  private let pages = ["ReactiveStreams", "Proof"]

  @Test("the checklist has a row for each rule, in order, with a test or the reason why there is none")
  func complete() throws {
    let rows = try Article("ReactiveStreams").rows.filter { $0[0].hasPrefix("§") }
    #expect(rows.map { String($0[0].prefix { !$0.isWhitespace }) } == Self.rules)
    for row in rows {
      let proof = row.count == 3 ? row[2] : ""
      let isProved = !Article.tests(in: proof).isEmpty
      #expect(isProved || proof.hasPrefix("Cannot be observed: "), "\(row[0]): what proves it?")
    }
  }

  @Test("each test that the articles name exists")
  func tests() throws {
    let existing = try TestSources.names()
    for page in pages {
      let named = Article.tests(in: try Article(page).text)
      #expect(!named.isEmpty)
      let missing = named.filter { !existing.contains($0) }
      #expect(missing.isEmpty, "\(page).md names tests that do not exist")
    }
  }

  @Test("each file and folder that the articles name exists")
  func files() throws {
    for page in pages {
      let missing = Article.paths(in: try Article(page).text).filter { path in
        !FileManager.default.fileExists(atPath: root.appending(path: path).path())
      }
      #expect(missing.isEmpty, "\(page).md names files that do not exist")
    }
  }

  @Test("the checklist names each test whose title begins with a rule")
  func titles() throws {
    let checklist = Article.tests(in: try Article("ReactiveStreams").text)
    for test in try TestSources.all() where test.title.hasPrefix("§") {
      #expect(checklist.contains(test.name), "ReactiveStreams.md does not name \(test.name)")
    }
  }

  private static let rules =
    (1...11).map { "§1.\($0)" } + (1...13).map { "§2.\($0)" } + (1...17).map { "§3.\($0)" }
}

/// The folder of the package.
private let root = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../..").standardized

/// A page of the documentation.
private struct Article {
  let text: String

  init(_ name: String) throws {
    text = try String(
      contentsOf: root.appending(path: "Sources/Weir/Weir.docc/\(name).md"), encoding: .utf8)
  }

  /// The cells of the rows of its tables.
  var rows: [[String]] {
    text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// What stands in code voice as `Suite.function`.
  static func tests(in text: String) -> [String] {
    codes(in: text).filter { code in
      let parts = code.split(separator: ".")
      return parts.count == 2 && !code.contains("/") && TestSources.isSuite(parts[0])
        && parts[1].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
  }

  /// What stands in code voice as a path into the package, or as a command that begins with one.
  static func paths(in text: String) -> [String] {
    let folders = ["Sources/", "Tests/", "perf/", ".ci/"]
    return codes(in: text).filter { code in folders.contains { code.hasPrefix($0) } }
      .map { String($0.prefix { $0 != " " }) }
  }

  private static func codes(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}

/// All tests of the package, by their source.
private enum TestSources {
  struct Test {
    /// The type and the function.
    let name: String
    let title: String
  }

  static func names() throws -> Set<String> { Set(try all().map(\.name)) }

  static func all() throws -> [Test] { try read.get() }

  private static let read = Result { try readAll() }

  private static func readAll() throws -> [Test] {
    let folder = root.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.flatMap {
      file in
      tests(in: try String(contentsOf: file, encoding: .utf8))
    }
  }

  static func isSuite(_ name: some StringProtocol) -> Bool {
    ["Tests", "Races", "Histories", "Suite", "Stress"].contains { name.hasSuffix($0) }
  }

  /// Line by line: a test belongs to the type that was declared or extended last before it.
  private static func tests(in source: String) -> [Test] {
    var (tests, type, title): ([Test], Substring, Substring?) = ([], "", nil)
    var isTitleNext = false
    for line in source.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
      // Most lines are of no interest, and are left at their first character: this is a debug build.
      guard let first = line.utf8.first(where: { $0 != UInt8(ascii: " ") }), "@\"sefp".utf8.contains(first)
      else { continue }
      let words = line.utf8.split { " .({:".utf8.contains($0) }.map(Substring.init)
      if let keyword = words.firstIndex(where: { $0 == "struct" || $0 == "extension" }),
        let name = words[keyword...].dropFirst().last(where: { isSuite($0) })
      {
        type = name
      }
      if isTitleNext || line.contains("@Test(") {
        title = line.split(separator: "\"", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
        isTitleNext = title == nil
      }
      if title != nil, let keyword = words.firstIndex(of: "func"), keyword + 1 < words.count {
        tests.append(Test(name: "\(type).\(words[keyword + 1])", title: title.map { String($0) } ?? ""))
        title = nil
      }
    }
    return tests
  }
}
