// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The command line of a measuring program. The scripts in `perf` are the entry for people; this is what they
/// call.
struct Options {
  let repetitions: Int
  let milliseconds: Int
  /// Parts of names of scenarios; empty for all scenarios.
  let only: [Substring]
  let purpose: Purpose

  enum Purpose: String, CaseIterable {
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

  init(_ arguments: [String]) throws(Arguments.Problem) {
    let found = try Arguments(
      arguments, valued: ["--repetitions", "--milliseconds", "--only"], flags: ["--check", "--list"])
    repetitions = try found.number("--repetitions", in: 1...10_000, orElse: 7)
    milliseconds = try found.number("--milliseconds", in: 1...10_000, orElse: 25)
    only = found["--only"].map { $0.split(separator: ",") } ?? []
    if found["--only"] != nil, only.isEmpty { throw .bad("'--only' needs parts of the names of scenarios") }
    purpose = Purpose.allCases.last { found.flags.contains($0.rawValue) } ?? .measure
  }
}
