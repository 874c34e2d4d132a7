// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Synchronization

/// `atomic-rmw` and `retain-release`: the operations that make up the cost of a protected send;
/// `atomic-load`: the operation that reading shared state needs.
enum LimitAtomics {
  static var benchmarks: [Benchmark] {
    [
      Benchmark(scenario: "atomic-rmw", implementation: .limit) {
        let counter = Counter()
        return { operations in
          counter.value.store(0, ordering: .relaxed)
          let sample = measure(operations) { atomicAddLoop(counter, operations) }
          verify("atomic-rmw, counter", counter.value.load(ordering: .relaxed), equals: operations)
          return sample
        }
      },
      Benchmark(scenario: "atomic-load", implementation: .limit) {
        let counter = Counter()
        return { operations in
          counter.value.store(3, ordering: .relaxed)
          let hidden = opaque(counter)
          var sum = 0
          let sample = measure(operations) { sum = atomicLoadLoop(hidden, operations) }
          verify("atomic-load, sum", sum, equals: 3 * operations)
          return sample
        }
      },
      Benchmark(scenario: "retain-release", implementation: .limit) {
        let object = Counter()
        return { operations in
          measure(operations) {
            bench_retain_release(Unmanaged.passUnretained(object).toOpaque(), Int64(operations))
          }
        }
      },
    ]
  }
}

final class Counter: Sendable {
  let value = Atomic<Int>(0)

  func increment(by summand: Int) { value.wrappingAdd(summand, ordering: .relaxed) }
}

@inline(never)
func atomicAddLoop(_ counter: Counter, _ count: Int) {
  for _ in 0..<count { counter.value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}

/// The sum stays in a register: adding in memory would take longer than what is measured.
@inline(never)
func atomicLoadLoop(_ counter: Counter, _ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum &+= counter.value.load(ordering: .sequentiallyConsistent) }
  return sum
}
