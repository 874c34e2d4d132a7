// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs benchmarks side by side.
struct Harness {
  var repetitions: Int
  var nanosecondsPerRepetition: Int64

  /// Repeats the whole list, not each benchmark: the implementations of a scenario run one right after the
  /// other, and a slow phase of the machine affects all of them alike, and the limits they are compared with.
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

  /// Finds the number of operations that fills a repetition. This is also the warm-up.
  private func calibrate(_ benchmark: Benchmark) -> Series {
    let body = benchmark.prepare()
    var operations = benchmark.fewest
    while true {
      let sample = body(operations)
      // The benchmark limits the number of operations itself.
      if sample.operations < operations {
        return Series(benchmark: benchmark, body: body, operations: operations)
      }
      let share = Double(nanosecondsPerRepetition) / Double(max(sample.nanoseconds, 1))
      operations = sample.operations * 4
      if share > 8 { continue }
      // Long enough for the rate to be reliable: one step to the full length, which is run once as warm-up.
      // If that takes far less time, the rate was measured while the machine did something else.
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
