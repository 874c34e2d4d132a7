// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import ShapeAlternatives

/// `subscribe-dispose/N`: a chain of N operators is put together, subscribed to the bare subject and
/// disposed.
enum SubscribeScenarios {
  static var benchmarks: [Benchmark] {
    row("subscribe-dispose/0", WeirShape.hot0, AnsweringShape.hot0, ConcreteShape.hot0)
      + row("subscribe-dispose/3", WeirShape.hot3, AnsweringShape.hot3, ConcreteShape.hot3)
      + row("subscribe-dispose/10", WeirShape.hot10, AnsweringShape.hot10, ConcreteShape.hot10)
  }

  private static func row(
    _ scenario: String, _ weir: @escaping Subscribing<WeirShape>,
    _ answering: @escaping Subscribing<AnsweringShape>, _ concrete: @escaping Subscribing<ConcreteShape>
  ) -> [Benchmark] {
    [
      benchmark(WeirShape.self, scenario, weir),
      benchmark(AnsweringShape.self, scenario, answering),
      benchmark(ConcreteShape.self, scenario, concrete),
    ]
  }

  private static func benchmark<S: Shape>(
    _: S.Type, _ scenario: String, _ subscribe: @escaping Subscribing<S>
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: 1)
      let constants = Constants(rejecting: 8)
      let subject = BareSubject<S.Kept>()
      return { operations in
        cells.reset()
        let sample = measure(operations) {
          for _ in 0..<operations { subscribe(subject, constants, cells.cell(0)).dispose() }
        }
        // The place is free again, or this would trap; and nobody is left to receive the value.
        subscribe(subject, constants, cells.cell(0)).dispose()
        subject.send(1)
        verify("\(scenario) \(S.implementation.name), values after dispose", cells[0], equals: 0)
        return sample
      }
    }
  }
}
