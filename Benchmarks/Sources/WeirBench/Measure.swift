// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport
import Glibc

/// Times `body` and counts its allocations on the calling thread.
func measure(_ operations: Int, _ body: () -> Void) -> Sample {
  let allocationsBefore = bench_allocation_count()
  let start = bench_monotonic_ns()
  body()
  let end = bench_monotonic_ns()
  return Sample(
    operations: operations, nanoseconds: end - start,
    allocations: bench_allocation_count() - allocationsBefore)
}

/// Ends the run unless a body did exactly what it was meant to do; a fast wrong answer is no result.
func verify(_ what: @autoclosure () -> String, _ actual: Int, equals expected: Int) {
  if actual == expected { return }
  fail("\(what()): counted \(actual), expected \(expected); the figures would be meaningless", status: 70)
}

/// Prints one line and ends the process.
func fail(_ message: String, status: Int32) -> Never {
  bench_print_error("WeirBench: \(message)")
  exit(status)
}
