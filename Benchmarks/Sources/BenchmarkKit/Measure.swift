// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport
import Glibc

/// Times `body` and counts what it allocates on the calling thread.
package func measure(_ operations: Int, _ body: () -> Void) -> Sample {
  let heapBefore = HeapUse.ofThisThread
  let start = bench_monotonic_ns()
  body()
  let end = bench_monotonic_ns()
  return Sample(
    operations: operations, nanoseconds: end - start, heap: HeapUse.ofThisThread - heapBefore)
}

/// Ends the run unless a body did exactly what it should: a fast wrong answer is not a result.
package func verify(_ what: @autoclosure () -> String, _ actual: Int, equals expected: Int) {
  if actual == expected { return }
  fail("\(what()): counted \(actual), expected \(expected); the figures would be meaningless", status: 70)
}

/// Prints one line and ends the process.
package func fail(_ message: String, status: Int32) -> Never {
  bench_print_error("\(BenchmarkProgram.name): \(message)")
  exit(status)
}
