// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs benchmarks side by side.
struct Harness {
  var repetitions: Int
  var nanosecondsPerRepetition: Int64

  /// Repeats the whole list instead of each benchmark: implementations of one scenario run right after each
  /// other, and a slow phase of the machine hits all of them, and the limits they are compared with, alike.
  func run(_ benchmarks: [Benchmark], progress: (String) -> Void) -> [Result] {
    progress("calibrating \(benchmarks.count) benchmarks")
    var series = benchmarks.map(calibrate)
    for benchmark in benchmarks { benchmark.forget() }
    for repetition in 1...repetitions {
      progress("repetition \(repetition)/\(repetitions)")
      for index in series.indices { series[index].repeatOnce() }
    }
    return series.map(\.result)
  }

  /// Finds how many operations fill a repetition. Doubles as the warm-up.
  private func calibrate(_ benchmark: Benchmark) -> Series {
    let body = benchmark.prepare()
    var operations = benchmark.fewest
    while true {
      let sample = body(operations)
      // It has a most of its own.
      if sample.operations < operations {
        return Series(benchmark: benchmark, body: body, operations: operations)
      }
      let share = Double(nanosecondsPerRepetition) / Double(max(sample.nanoseconds, 1))
      operations = sample.operations * 4
      if share > 8 { continue }
      // Close enough for the rate to be believed: one step to the full length, run once to warm it up. If
      // that took far less, the rate was that of a moment in which the machine did something else.
      let full = max(benchmark.fewest, Int(Double(sample.operations) * share))
      if body(full).nanoseconds * 4 > nanosecondsPerRepetition {
        return Series(benchmark: benchmark, body: body, operations: full)
      }
    }
  }
}

/// A benchmark with its repetitions so far.
struct Series {
  let benchmark: Benchmark
  let body: (Int) -> Sample
  let operations: Int
  private var samples: [Sample] = []

  init(benchmark: Benchmark, body: @escaping (Int) -> Sample, operations: Int) {
    self.benchmark = benchmark
    self.body = body
    self.operations = operations
  }

  mutating func repeatOnce() { samples.append(body(operations)) }

  var result: Result {
    Result(
      scenario: benchmark.scenario, implementation: benchmark.implementation,
      times: samples.map { Double($0.nanoseconds) / Double($0.operations) },
      operations: samples.reduce(0) { $0 + $1.operations },
      heap: samples.reduce(HeapUse() as HeapUse?) { sum, sample in
        sample.heap.flatMap { heap in sum.map { $0 + heap } }
      },
      failed: samples.reduce(0) { $0 + $1.failed })
  }
}
