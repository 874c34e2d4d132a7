// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `replay-emit/K`: one thread sends into a subject that retains the last K values; one live subscriber adds
/// to a counter.
enum ReplayEmit {
  static let capacities = [1, 16, 1024]

  static var benchmarks: [Benchmark] {
    capacities.flatMap { capacity in
      [
        Emit.benchmark("replay-emit/\(capacity)", subscribers: 1) { WeirReplay(capacity: capacity) },
        Emit.benchmark("replay-emit/\(capacity)", subscribers: 1) { MutexReplay(capacity: capacity) },
      ]
    }
  }
}
