// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `subscribe-dispose/N`: one thread subscribes and disposes immediately; N other subscribers stay.
enum SubscribeDispose: SubjectScenario {
  static let subscriberCounts = [0, 100, 10_000]

  static func benchmark<S: MeasuredSubject>(_: S.Type, subscribers: Int) -> Benchmark {
    let scenario = "subscribe-dispose/\(subscribers)"
    return Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: 2)
      let staying = cells.cell(0)
      let passing = cells.cell(1)
      let subject = S()
      let tokens = (0..<subscribers).map { _ in subject.subscribe(summingInto: staying) }
      return { operations in
        cells.reset()
        let sample = withExtendedLifetime(tokens) {
          measure(operations) { subscribeDisposeLoop(subject, passing, operations) }
        }
        // One send afterwards shows that all others are still there and the disposed subscribers are gone.
        subject.send(1)
        let name = "\(scenario) \(S.implementation.name)"
        verify("\(name), subscribers present afterwards", cells[0], equals: subscribers * (1 + S.mark))
        verify("\(name), subscribers called after dispose", cells[1], equals: 0)
        return sample
      }
    }
  }
}

@inline(never)
func subscribeDisposeLoop<S: MeasuredSource>(_ subject: S, _ cell: Cell, _ count: Int) {
  for _ in 0..<count {
    let token = subject.subscribe(summingInto: cell)
    token.dispose()
  }
}
