// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `current-set/K`, `property-set/K`: one thread sets; K subscribers each add to a counter of their own.
enum StateSet {
  static let subscriberCounts = [0, 1]

  static var benchmarks: [Benchmark] {
    subscriberCounts.flatMap { count in
      [
        Emit.benchmark("current-set/\(count)", subscribers: count) { WeirCurrent() },
        Emit.benchmark("current-set/\(count)", subscribers: count) { MutexCurrent() },
      ]
    }
      + subscriberCounts.flatMap { count in
        [
          Emit.benchmark("property-set/\(count)", subscribers: count) { WeirProperty() },
          Emit.benchmark("property-set/\(count)", subscribers: count) { MutexCurrent() },
        ]
      }
  }
}
