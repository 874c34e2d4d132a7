// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// A program that runs benchmarks and prints their results, one JSON object per line.
package enum BenchmarkProgram {
  /// As it was called, without directories.
  package static var name: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "benchmarks"
  }

  /// - Parameter afterwards: returns more results once all have been measured, as JSON objects on a line
  ///   each.
  package static func run(_ suite: [Benchmark], afterwards: () -> [String] = { [] }) {
    Thread.park()
    let options = Arguments.parsed(usage: Options.usage, Options.init)
    let benchmarks = suite.filter { benchmark in
      options.only.isEmpty || options.only.contains { benchmark.scenario.contains($0) }
    }
    if benchmarks.isEmpty {
      let wanted = options.only.map { "'\($0)'" }.joined(separator: " or ")
      fail(
        "no scenario contains \(wanted); there are \(names(of: suite).joined(separator: ", "))", status: 64)
    }
    switch options.purpose {
    case .check: return check(benchmarks)
    case .list:
      names(of: benchmarks).forEach { print($0) }
      return flushOutput()
    case .measure: break
    }
    let harness = Harness(
      repetitions: options.repetitions, nanosecondsPerRepetition: Int64(options.milliseconds) * 1_000_000)
    for result in harness.run(benchmarks, progress: { bench_print_error($0) }) { print(result.json) }
    for line in afterwards() { print(line) }
    flushOutput()
  }

  /// Runs each twice, with few operations: ends the process unless all do what they are meant to.
  package static func check(_ benchmarks: [Benchmark]) {
    for benchmark in benchmarks {
      let body = benchmark.prepare()
      for operations in [1, 64] { _ = body(operations) }
    }
  }

  private static func names(of suite: [Benchmark]) -> [String] {
    var names: [String] = []
    for benchmark in suite where !names.contains(benchmark.scenario) { names.append(benchmark.scenario) }
    return names
  }
}
