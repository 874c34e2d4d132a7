// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// The command line of a program: options with a value after them, and flags.
package struct Arguments {
  /// Why there are no options.
  package enum Problem: Error, Equatable {
    case helpWanted
    case bad(String)
  }

  private var values: [String: String] = [:]
  /// The flags that were given.
  package private(set) var flags: Set<String> = []

  /// - Parameters:
  ///   - valued: the options that have a value after them.
  ///   - flags: the options without a value.
  package init(
    _ arguments: [String], valued: Set<String>, flags: Set<String> = []
  ) throws(Problem) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--help" { throw .helpWanted }
      if flags.contains(name) {
        self.flags.insert(name)
        continue
      }
      guard valued.contains(name) else {
        throw .bad("unknown argument '\(name)'; see \(BenchmarkProgram.name) --help")
      }
      guard let value = rest.popFirst() else { throw .bad("'\(name)' needs a value after it") }
      values[name] = value
    }
  }

  package subscript(name: String) -> String? { values[name] }

  /// Fails if both were given. One of them would be ignored, and the figures would not be those asked for.
  package func exclude(_ one: String, _ other: String) throws(Problem) {
    for name in [one, other] where values[name] == nil && !flags.contains(name) { return }
    throw .bad("'\(one)' and '\(other)' exclude each other")
  }

  /// The value of an option that is a whole number; `standard` if it was not given.
  package func number(
    _ name: String, in range: ClosedRange<Int>, orElse standard: Int
  ) throws(Problem) -> Int {
    try number(name, in: range) ?? standard
  }

  /// The value of an option that is a whole number; nil if it was not given.
  package func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let value = values[name] else { return nil }
    guard let number = Int(value), range.contains(number) else {
      throw .bad(
        "'\(name)' needs a whole number from \(range.lowerBound) to \(range.upperBound), not '\(value)'")
    }
    return number
  }

  /// The value of an option that is one of several words; `standard` if it was not given.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, orElse standard: Choice
  ) throws(Problem) -> Choice where Choice.RawValue == String {
    guard let value = values[name] else { return standard }
    guard let choice = Choice(rawValue: value) else {
      let words = Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw .bad("'\(name)' needs one of \(words), not '\(value)'")
    }
    return choice
  }

  /// The options that `parse` reads from the command line. Ends the process if help is wanted or an option is
  /// bad.
  package static func parsed<Options>(
    usage: String, _ parse: ([String]) throws(Problem) -> Options
  ) -> Options {
    do {
      return try parse(Array(CommandLine.arguments.dropFirst()))
    } catch {
      switch error {
      case .helpWanted:
        print(usage)
        flushOutput()
        exit(0)
      case .bad(let message): fail(message, status: 64)
      }
    }
  }
}
