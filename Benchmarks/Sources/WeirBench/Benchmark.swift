// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Whose code a row of the report measures.
enum Implementation: String {
  case weir
  case mutexCopy = "mutex-copy"
  case mutexInside = "mutex-inside"
  case mutexSnapshot = "mutex-snapshot"
  /// No library at all: what the machine charges for the calls and atomics themselves.
  case limit
}

/// What one repetition took.
struct Sample {
  var operations: Int
  var nanoseconds: Int64
  var allocations: Int64
}

/// One scenario of one implementation.
struct Benchmark {
  let scenario: String
  let implementation: Implementation
  /// Sets up and returns the measured body, which performs about the given number of operations, verifies
  /// what they did, and reports them.
  let prepare: () -> (_ operations: Int) -> Sample
}
