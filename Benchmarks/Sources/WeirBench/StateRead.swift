// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import MutexBaseline
import Weir

/// `current-read`, `property-read`: reads of an `Int`, added up in a register; `current-read-string`,
/// `property-read-string`: reads of a string whose text is in the heap; its length is added up.
enum StateRead {
  private static let number = Int(bench_opaque_int(3))
  private static let text = String(repeating: "weir", count: 5)

  static var benchmarks: [Benchmark] {
    [
      benchmark("current-read", CurrentValue<Int, Never>(number), sumOfEach: number) { readLoop($0, $1) },
      benchmark("current-read", MutexCurrentValue(number), sumOfEach: number) { readLoop($0, $1) },
      benchmark("current-read-string", CurrentValue<String, Never>(text), sumOfEach: text.utf8.count) {
        readTextLoop($0, $1)
      },
      benchmark("current-read-string", MutexCurrentValue(text), sumOfEach: text.utf8.count) {
        readTextLoop($0, $1)
      },
      benchmark("property-read", MutableProperty(number), sumOfEach: number) { readLoop($0, $1) },
      benchmark("property-read", MutexCurrentValue(number), sumOfEach: number) { readLoop($0, $1) },
      benchmark("property-read-string", MutableProperty(text), sumOfEach: text.utf8.count) {
        readTextLoop($0, $1)
      },
      benchmark("property-read-string", MutexCurrentValue(text), sumOfEach: text.utf8.count) {
        readTextLoop($0, $1)
      },
    ]
  }

  /// The same for the current value of another library.
  static func peer(
    number makeNumber: (Int) -> some MeasuredState<Int>, text makeText: (String) -> some MeasuredState<String>
  ) -> [Benchmark] {
    [
      benchmark("current-read", makeNumber(number), sumOfEach: number) { readLoop($0, $1) },
      benchmark("current-read-string", makeText(text), sumOfEach: text.utf8.count) { readTextLoop($0, $1) },
    ]
  }

  private static func benchmark<State: MeasuredState>(
    _ scenario: String, _ state: State, sumOfEach: Int,
    _ loop: @escaping (_ state: State, _ count: Int) -> Int
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: State.implementation) {
      { operations in
        var sum = 0
        let sample = measure(operations) { sum = loop(state, operations) }
        verify(
          "\(scenario) \(State.implementation.name), checksum", sum, equals: operations * sumOfEach)
        return sample
      }
    }
  }
}

@inline(never)
func readLoop<State: MeasuredState<Int>>(_ state: State, _ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum &+= state.value }
  return sum
}

@inline(never)
func readTextLoop<State: MeasuredState<String>>(_ state: State, _ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum &+= state.value.utf8.count }
  return sum
}
