// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import OpenCombine
import Weir

/// `subscribe-merge/8` and so on: the chain of the scenario of that name is put together, subscribed and
/// disposed; nothing is sent.
enum SubscribeOperator {
  static var benchmarks: [Benchmark] {
    HotChain3.subscribing + Merge8.comparedSubscribing + CombineLatest2.comparedSubscribing
      + Zip2.comparedSubscribing + WithLatest2.comparedSubscribing + FlatMapInner.comparedSubscribing
      + SwitchJust.subscribing
  }

  static var openCombine: [Benchmark] {
    [
      HotChain3.openCombineSubscribing, Merge8.openCombineSubscribing, Zip2.openCombineSubscribing,
      FlatMapInner.openCombineSubscribing, SwitchJust.openCombineSubscribing,
    ]
  }
}

extension OperatorScenario {
  fileprivate static var subscribing: [Benchmark] {
    [subscribing(WeirSource.self, subscribe) { $0.dispose() }]
  }

  fileprivate static func subscribing<S: HotSource, Token>(
    _: S.Type, _ subscribe: @escaping (_ sources: ContiguousArray<S>, _ cell: Cell) -> Token,
    dispose: @escaping (Token) -> Void
  ) -> Benchmark {
    let scenario = "subscribe-\(name)"
    return Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: 1)
      let cell = cells.cell(0)
      let sources = ContiguousArray((0..<sourceCount).map { _ in S() })
      return { operations in
        cells.reset()
        let sample = measure(operations) {
          for _ in 0..<operations { dispose(subscribe(sources, cell)) }
        }
        // Shows that the disposed subscribers are gone.
        for source in sources { source.send(OperatorScenarios.primer) }
        verify("\(scenario) \(S.implementation.name), called after dispose", cells[0], equals: 0)
        return sample
      }
    }
  }
}

extension ComparedScenario {
  fileprivate static var comparedSubscribing: [Benchmark] {
    subscribing + [
      subscribing(MutexCopySource.self, subscribe) { $0() },
      subscribing(MutexInsideSource.self, subscribe) { $0() },
    ]
  }
}

extension OpenCombineScenario {
  fileprivate static var openCombineSubscribing: Benchmark {
    subscribing(OpenCombineSource.self, subscribe) { $0.cancel() }
  }
}
