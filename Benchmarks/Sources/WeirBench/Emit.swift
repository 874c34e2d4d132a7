// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `emit/K`: one thread sends; K subscribers each add to a counter of their own.
enum Emit: SubjectScenario {
  static let subscriberCounts = [1, 8, 64, 1024]

  static func benchmark<S: MeasuredSubject>(_: S.Type, subscribers: Int) -> Benchmark {
    benchmark("emit/\(subscribers)", subscribers: subscribers, S.init)
  }

  /// The same for any hot source.
  static func benchmark<S: MeasuredSource>(
    _ scenario: String, subscribers: Int, _ makeSource: @escaping () -> S
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: subscribers)
      let source = makeSource()
      let tokens = (0..<subscribers).map { source.subscribe(summingInto: cells.cell($0)) }
      return { operations in
        cells.reset()
        let sample = withExtendedLifetime(tokens) {
          measure(operations) { emitLoop(source, operations) }
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
func emitLoop<S: MeasuredSource>(_ source: S, _ count: Int) {
  for value in 0..<count { source.send(value) }
}
