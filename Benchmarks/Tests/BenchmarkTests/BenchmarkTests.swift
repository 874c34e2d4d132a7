// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Testing

@testable import HopBench
@testable import WeirBench
@testable import WeirMemory

/// A benchmark that fails its checks ends its process, so each program has a process of its own here.
@Suite("Every benchmark passes its own checks, with few operations")
struct BenchmarkTests {
  @Test
  func `benchmarks of WeirBench pass their checks`() async {
    await #expect(processExitsWith: .success) { BenchmarkProgram.check(Suite.benchmarks(SendTime.scenarios)) }
  }

  @Test
  func `benchmarks of HopBench pass their checks`() async {
    await #expect(processExitsWith: .success) {
      BenchmarkProgram.check(HopBench.benchmarks(Latency().scenarios))
    }
  }

  @Test
  func `WeirMemory releases all memory that it counts`() async {
    await #expect(processExitsWith: .success) { WeirMemory.check() }
  }

  /// Shows that the others do not pass because a process that fails looks like one that does not.
  @Test
  func `a benchmark with a wrong count ends the process with 70`() async {
    await #expect(processExitsWith: .exitCode(70)) {
      BenchmarkProgram.check([
        Benchmark(scenario: "wrong", implementation: .weir) {
          { operations in
            verify("wrong", operations, equals: operations + 1)
            return measure(operations) {}
          }
        }
      ])
    }
  }
}
