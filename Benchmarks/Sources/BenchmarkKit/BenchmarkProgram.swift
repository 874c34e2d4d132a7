// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// A program that runs benchmarks and prints their results, one JSON object per line.
package enum BenchmarkProgram {
  /// The name with which the program was called, without directories.
  package static var name: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "benchmarks"
  }

  /// - Parameter afterwards: called after all benchmarks; returns more results, as one JSON object per line.
  package static func run(_ suite: [Benchmark], afterwards: () -> [String] = { [] }) {
    Thread.park()
    let options = Arguments.parsed(usage: Options.usage, Options.init)
    let benchmarks = suite.filter { benchmark in
      options.only.isEmpty || options.only.contains { benchmark.scenario.contains($0) }
    }
    if benchmarks.isEmpty {
      let wanted = options.only.map { "'\($0)'" }.joined(separator: " or ")
      fail(
        "no scenario has a name with \(wanted); the scenarios are \(names(of: suite).joined(separator: ", "))",
        status: 64)
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

  /// Runs each benchmark twice, with few operations. Ends the process if one does not do what it should.
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
