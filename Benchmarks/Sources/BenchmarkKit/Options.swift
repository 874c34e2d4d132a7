// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The command line of a measuring program. People use the scripts in `perf`, which call it.
struct Options {
  let repetitions: Int
  let milliseconds: Int
  /// Parts of scenario names; empty for all scenarios.
  let only: [Substring]
  let purpose: Purpose

  enum Purpose: String, CaseIterable {
    case measure
    /// Only check that each scenario does what it should.
    case check = "--check"
    /// Only print the names of scenarios.
    case list = "--list"
  }

  static let usage = """
    usage: \(BenchmarkProgram.name) [--repetitions N] [--milliseconds N] [--only SUBSTRING[,SUBSTRING...]] [--check | --list]
    Measures scenarios, and prints one JSON object per line for each scenario and implementation. The scripts in perf
    make tables of them.
      --repetitions N    how often each benchmark is measured (default 7)
      --milliseconds N   how long a repetition takes (default 25)
      --only SUBSTRING   only scenarios whose name contains SUBSTRING; separate several with commas
      --list             only print the names of the scenarios
      --check            measure nothing: run each benchmark twice with few operations; exit with 70 if one counts wrongly
    """

  init(_ arguments: [String]) throws(Arguments.Problem) {
    let found = try Arguments(
      arguments, valued: ["--repetitions", "--milliseconds", "--only"], flags: ["--check", "--list"])
    repetitions = try found.number("--repetitions", in: 1...10_000, orElse: 7)
    milliseconds = try found.number("--milliseconds", in: 1...10_000, orElse: 25)
    only = found["--only"].map { $0.split(separator: ",") } ?? []
    if found["--only"] != nil, only.isEmpty {
      throw .bad("'--only' needs parts of scenario names, such as emit/,zip")
    }
    try found.exclude("--check", "--list")
    purpose = Purpose.allCases.last { found.flags.contains($0.rawValue) } ?? .measure
  }
}
