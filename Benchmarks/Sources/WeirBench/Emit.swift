// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `emit/K`: one thread sends, K subscribers each add to a counter of their own.
enum Emit: SubjectScenario {
  static let subscriberCounts = [1, 8, 64, 1024]

  static func benchmark<S: MeasuredSubject>(_: S.Type, subscribers: Int) -> Benchmark {
    let scenario = "emit/\(subscribers)"
    return Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: subscribers)
      let subject = S()
      let tokens = (0..<subscribers).map { subject.subscribe(summingInto: cells.cell($0)) }
      return { operations in
        cells.reset()
        let sample = withExtendedLifetime(tokens) {
          measure(operations) { emitLoop(subject, operations) }
        }
        for index in 0..<subscribers {
          verify(
            "\(scenario) \(S.implementation.name), subscriber \(index)",
            cells[index], equals: operations * (operations - 1) / 2 + operations * S.mark)
        }
        return sample
      }
    }
  }
}

@inline(never)
func emitLoop<S: MeasuredSubject>(_ subject: S, _ count: Int) {
  for value in 0..<count { subject.send(value) }
}
