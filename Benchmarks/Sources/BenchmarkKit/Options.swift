// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The command line of a measuring program. The scripts in `perf` are the entry for people; this is what they call.
struct Options {
  var repetitions = 7
  var milliseconds = 25
  /// Parts of names of scenarios; empty for all scenarios.
  var only: [Substring] = []
  var purpose = Purpose.measure

  enum Purpose: String {
    case measure
    /// Only to see that each scenario does what it should.
    case check = "--check"
    /// Only to tell the names of scenarios.
    case list = "--list"
  }

  static let usage = """
    usage: \(BenchmarkProgram.name) [--repetitions N] [--milliseconds N] [--only SUBSTRING[,SUBSTRING...]] [--check | --list]
    Prints one JSON object per line for each scenario and implementation; the scripts in perf make a table of them.
    With --list it prints the names of the scenarios. With --check it measures nothing: each runs twice with few operations, and what does not verify ends the program.
    """

  /// A message for the user instead of options.
  enum Problem: Error {
    case helpWanted
    case bad(String)
  }

  init(_ arguments: [String]) throws(Problem) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--help" { throw .helpWanted }
      if let other = Purpose(rawValue: String(name)) {
        purpose = other
        continue
      }
      guard ["--repetitions", "--milliseconds", "--only"].contains(name) else {
        throw .bad("unknown argument '\(name)'; see \(BenchmarkProgram.name) --help")
      }
      guard let value = rest.popFirst() else { throw .bad("'\(name)' needs a value after it") }
      if name == "--only" {
        only = value.split(separator: ",")
        if only.isEmpty { throw .bad("'--only' needs parts of the names of scenarios") }
        continue
      }
      guard let number = Int(value), (1...10_000).contains(number) else {
        throw .bad("'\(name)' needs a whole number from 1 to 10000, not '\(value)'")
      }
      if name == "--repetitions" { repetitions = number } else { milliseconds = number }
    }
  }
}
