// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

@main
struct HopBench {
  static func main() {
    let latency = Latency().scenarios
    BenchmarkProgram.run(benchmarks(latency)) { latency.histograms }
  }

  static func benchmarks(_ latency: TimedScenarios) -> [Benchmark] {
    Throughput.benchmarks + TaskBursts.benchmarks + Spreading.benchmarks + latency.benchmarks
  }
}

extension Implementation {
  static let weirPool = Implementation(name: "weir")
  static let weirSpinning = Implementation(name: "weir-spinning")
  static let weirThread = Implementation(name: "weir-thread")
  static let weirValues = Implementation(name: "weir-values")
  static let weirChunks = Implementation(name: "weir-chunks")
  static let weirOne = Implementation(name: "weir-one")
  static let dispatch = Implementation(name: "dispatch")
  static let openCombine = Implementation(name: "opencombine")
  static let asyncStream = Implementation(name: "async-stream")
  static let asyncChannel = Implementation(name: "async-channel")
  /// The limit of the machine for a receiver that sleeps between values.
  static let limitCondition = Implementation(name: "limit-condition")
}
