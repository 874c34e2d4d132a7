// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Scenarios whose figure is not the average of many operations but a percentile of their single times:
/// `NAME-p50/VARIANT` and `NAME-p99/VARIANT`. `NAME/VARIANT`: all of these times, as a histogram.
package struct TimedScenarios {
  package private(set) var benchmarks: [Benchmark] = []
  private var records: [Record] = []

  package init() {}

  /// The lines to print when all benchmarks have run.
  package var histograms: [String] { records.compactMap(\.json) }

  private enum Percentile: Int, CaseIterable {
    case median = 50
    case tail = 99
  }

  /// The times of one implementation in one scenario.
  private final class Record {
    let scenario: String
    let implementation: Implementation
    var byPercentile: [Percentile: Histogram] = [:]

    init(_ scenario: String, _ implementation: Implementation) {
      self.scenario = scenario
      self.implementation = implementation
    }

    var json: String? {
      byPercentile.isEmpty
        ? nil
        : byPercentile.values.reduce(Histogram(), +).json(scenario: scenario, implementation: implementation)
    }
  }

  /// - Parameter times: performs about as many operations, verifies what they did, and returns how many
  ///   nanoseconds each took that was timed.
  package mutating func add(
    _ name: String, _ variant: String, _ implementation: Implementation,
    times: @escaping (_ operations: Int) -> [Int]
  ) {
    let record = Record("\(name)/\(variant)", implementation)
    records.append(record)
    benchmarks += Percentile.allCases.map { percentile in
      Benchmark(
        scenario: "\(name)-p\(percentile.rawValue)/\(variant)", implementation: implementation,
        forget: { record.byPercentile = [:] }
      ) {
        { operations in
          var times = times(operations)
          for time in times { record.byPercentile[percentile, default: Histogram()].add(time) }
          times.sort()
          let time = times[times.count * percentile.rawValue / 100]
          return Sample(operations: times.count, nanoseconds: Int64(time * times.count), heap: nil)
        }
      }
    }
  }
}
