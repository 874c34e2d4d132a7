// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Synchronization

/// `replay-churn-2-threads/K`: `replay-emit/K`, while a second thread subscribes, receives a history of K
/// values and disposes, over and over. One operation is one value sent.
enum ReplayChurn {
  static var benchmarks: [Benchmark] {
    [benchmark(WeirReplay.self, capacity: 1024), benchmark(MutexReplay.self, capacity: 1024)]
  }

  private static func benchmark<S: MeasuredReplay>(_: S.Type, capacity: Int) -> Benchmark {
    let scenario = "replay-churn-2-threads/\(capacity)"
    return Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: 1)
      let subject = S(capacity: capacity)
      for value in 0..<capacity { subject.send(value) }
      let token = subject.subscribe(summingInto: cells.cell(0))
      return { operations in
        cells.reset()
        let (comers, replayed) = (Counter(), Counter())
        let subscribeAgain: @Sendable () -> Void = {
          subject.subscribe(countingInto: replayed).dispose()
          comers.increment(by: 1)
        }
        let sample = withExtendedLifetime(token) {
          measure(operations, beside: subscribeAgain) { emitLoop(subject, operations) }
        }
        let name = "\(scenario) \(S.implementation.name)"
        verify(
          "\(name), live subscriber", cells[0],
          equals: operations * (operations - 1) / 2 + operations * S.mark)
        // Each subscriber gets the history; how many live values it gets before it is disposed depends on
        // timing.
        let expected = comers.value.load(ordering: .relaxed) * capacity * S.mark
        let counted = replayed.value.load(ordering: .relaxed)
        verify("\(name), least of what was replayed", min(counted, expected), equals: expected)
        return sample
      }
    }
  }
}
