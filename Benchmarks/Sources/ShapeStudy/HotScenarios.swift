// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import ShapeAlternatives

/// `hot-chain/N` and `hot-scan-take`: one value sent through the operators into a counter. Nothing is
/// filtered out, so that every value passes all operators; `hot-chain/0` is what the bare subject and the
/// subscriber cost.
enum HotScenarios {
  static var benchmarks: [Benchmark] {
    row("hot-chain/0", WeirShape.hot0, AnsweringShape.hot0, ConcreteShape.hot0) { count, _ in
      count &* (count &- 1) / 2
    }
      + row("hot-chain/3", WeirShape.hot3, AnsweringShape.hot3, ConcreteShape.hot3, checksum3)
      + row("hot-chain/10", WeirShape.hot10, AnsweringShape.hot10, ConcreteShape.hot10, checksum10)
      + row(
        "hot-scan-take", WeirShape.hotScanTake, AnsweringShape.hotScanTake, ConcreteShape.hotScanTake,
        checksumOfScan)
  }

  private static func row(
    _ scenario: String, _ weir: @escaping Subscribing<WeirShape>,
    _ answering: @escaping Subscribing<AnsweringShape>, _ concrete: @escaping Subscribing<ConcreteShape>,
    _ checksum: @escaping (_ count: Int, _ constants: Constants) -> Int
  ) -> [Benchmark] {
    [
      benchmark(WeirShape.self, scenario, weir, checksum),
      benchmark(AnsweringShape.self, scenario, answering, checksum),
      benchmark(ConcreteShape.self, scenario, concrete, checksum),
    ]
  }

  private static func benchmark<S: Shape>(
    _: S.Type, _ scenario: String, _ subscribe: @escaping Subscribing<S>,
    _ checksum: @escaping (_ count: Int, _ constants: Constants) -> Int
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: 1)
      let constants = Constants(rejecting: 8)
      let subject = BareSubject<S.Kept>()
      var expected = (operations: -1, sum: 0)
      return { operations in
        cells.reset()
        let run = subscribe(subject, constants, cells.cell(0))
        let sample = measure(operations) { sendLoop(subject, operations) }
        subject.complete()
        if expected.operations != operations { expected = (operations, checksum(operations, constants)) }
        verify("\(scenario) \(S.implementation.name), checksum", cells[0], equals: expected.sum)
        verify("\(scenario) \(S.implementation.name), runs left", run.isDisposed ? 0 : 1, equals: 0)
        return sample
      }
    }
  }
}

/// Subscribes a chain of a shape to a subject.
typealias Subscribing<S: Shape> = (
  _ subject: BareSubject<S.Kept>, _ constants: Constants, _ cell: Cell
) -> S.Subscribed

@inline(never)
func sendLoop<R: Receiver<Int>>(_ subject: BareSubject<R>, _ count: Int) {
  for value in 0..<count { subject.send(value) }
}
