// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `replay-late/K`: a subscriber receives a history of K values, adds each to a counter, and is disposed. One
/// operation is one replayed value. `object-call` measures the subscriber's own work.
enum ReplayLate {
  static var benchmarks: [Benchmark] {
    [benchmark(WeirReplay.self, capacity: 1024), benchmark(MutexReplay.self, capacity: 1024)]
  }

  private static func benchmark<S: MeasuredReplay>(_: S.Type, capacity: Int) -> Benchmark {
    let scenario = "replay-late/\(capacity)"
    return Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: 1)
      let subject = S(capacity: capacity)
      for value in 0..<capacity { subject.send(value) }
      return { operations in
        cells.reset()
        let subscriptions = (operations + capacity - 1) / capacity
        let sample = measure(subscriptions * capacity) {
          subscribeDisposeLoop(subject, cells.cell(0), subscriptions)
        }
        let sum = capacity * (capacity - 1) / 2 + capacity * S.mark
        verify("\(scenario) \(S.implementation.name), checksum", cells[0], equals: subscriptions * sum)
        return sample
      }
    }
  }
}
