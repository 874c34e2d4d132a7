// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Synchronization

/// `line-transfer-2-threads`: two threads increment a counter in turn. Each increment is one operation: the
/// thread sees that the other one has changed the cache line, and changes it.
enum LimitTransfer {
  static var benchmarks: [Benchmark] {
    [
      Benchmark(scenario: "line-transfer-2-threads", implementation: .limit) {
        let counter = Counter()
        return { operations in
          counter.value.store(0, ordering: .relaxed)
          let rounds = (operations + 1) / 2
          let sample = measureConcurrently(threads: 2) { thread in
            incrementInTurnLoop(counter, thread, rounds)
            return rounds
          }
          verify("line-transfer, counter", counter.value.load(ordering: .relaxed), equals: 2 * rounds)
          return sample
        }
      }
    ]
  }
}

@inline(never)
private func incrementInTurnLoop(_ counter: Counter, _ thread: Int, _ rounds: Int) {
  for round in 0..<rounds {
    while counter.value.load(ordering: .acquiring) != 2 * round + thread {}
    counter.increment(by: 1)
  }
}
