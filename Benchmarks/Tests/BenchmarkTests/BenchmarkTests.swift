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
  func `those of WeirBench`() async {
    await #expect(processExitsWith: .success) { BenchmarkProgram.check(Suite.benchmarks) }
  }

  @Test
  func `those of HopBench`() async {
    await #expect(processExitsWith: .success) { BenchmarkProgram.check(HopBench.benchmarks(Latency())) }
  }

  @Test
  func `what WeirMemory counts is given back`() async {
    await #expect(processExitsWith: .success) { WeirMemory.check() }
  }

  /// Shows that the others do not pass because a process that fails looks like one that does not.
  @Test
  func `a benchmark that counts wrong is noticed`() async {
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
