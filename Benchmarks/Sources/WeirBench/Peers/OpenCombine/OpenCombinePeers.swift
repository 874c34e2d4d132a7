// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine

/// All scenarios that OpenCombine supports.
enum OpenCombinePeers {
  static var benchmarks: [Benchmark] { sources + SubscribeOperator.openCombine + chains + others }

  private static var sources: [Benchmark] {
    Emit.subscriberCounts.map { Emit.benchmark(OpenCombineSubject.self, subscribers: $0) }
      + [EmitToMany.benchmark("emit-many") { OpenCombineSubject() }]
      + EmitFromTwoThreads.subscriberCounts.map {
        EmitFromTwoThreads.benchmark(OpenCombineSubject.self, subscribers: $0)
      }
      + Contended.cases.map { Contended.benchmark(OpenCombineSubject.self, $0.senders, $0.variant) }
      + SubscribeDispose.subscriberCounts.map {
        SubscribeDispose.benchmark(OpenCombineSubject.self, subscribers: $0)
      }
      + [SubjectLife.benchmark(OpenCombineSubject.self, subscribers: 1)]
      + StateSet.subscriberCounts.map { count in
        Emit.benchmark("current-set/\(count)", subscribers: count) { OpenCombineCurrent() }
      }
      + StateRead.peer {
        OpenCombineState($0)
      } text: {
        OpenCombineState($0)
      }
  }

  private static var chains: [Benchmark] {
    [
      HotChain3.openCombine, HotMaps10.openCombine, HotChainPlain3.openCombine, HotMapsPlain10.openCombine,
      ScanDistinctTake.openCombine, Merge8.openCombine,
      Zip2.openCombine, FlatMapJust.openCombine, FlatMapInner.openCombine, ConcatMapJust.openCombine,
      SwitchJust.openCombine,
    ]
  }

  private static var others: [Benchmark] {
    OpenCombineCold.benchmarks + OpenCombineDisposables.benchmarks + OpenCombineScore.benchmarks
  }
}

/// A scenario for which OpenCombine has the operators.
protocol OpenCombineScenario: OperatorScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable
}

extension OpenCombineScenario {
  static var openCombine: Benchmark { benchmark(OpenCombineSource.self) { subscribe($0, $1) } }
}
