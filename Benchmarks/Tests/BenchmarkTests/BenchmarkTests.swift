// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Testing

@testable import HopBench
@testable import WeirBench
@testable import WeirMemory

/// A benchmark that does not do what it should ends its process, so each program has one of its own here.
@Suite("Every benchmark does what it should, with few operations")
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

  /// So that the others cannot pass because a process that fails looks like one that does not.
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
