// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Synchronization
import Weir

/// `current-read-2-threads`, `property-read-2-threads`: one thread reads an `Int` while another one sets it
/// as fast as it can. One operation is one read.
enum StateReadBesideSet {
  static var benchmarks: [Benchmark] {
    let current = CurrentValue<Int, Never>(value)
    let property = MutableProperty(value)
    let mutex = MutexCurrentValue(value)
    return [
      benchmark("current-read-2-threads", current) { current.send(value) },
      benchmark("current-read-2-threads", mutex) { mutex.send(value) },
      benchmark("property-read-2-threads", property) { property.value = value },
      benchmark("property-read-2-threads", mutex) { mutex.send(value) },
    ]
  }

  private static var value: Int { 3 }

  private static func benchmark<State: MeasuredState<Int>>(
    _ scenario: String, _ state: State, _ set: @escaping @Sendable () -> Void
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: State.implementation) {
      { operations in
        let sum = Counter()
        let sample = measure(operations, beside: set) { sum.increment(by: readLoop(state, operations)) }
        verify(
          "\(scenario) \(State.implementation.name), checksum", sum.value.load(ordering: .relaxed),
          equals: operations * value)
        return sample
      }
    }
  }
}
