// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// Every scenario, in the order of the report.
enum Suite {
  /// Implementations of a scenario run one right after the other, in the place of the first of them.
  static func benchmarks(_ sendTimes: TimedScenarios) -> [Benchmark] {
    let all = ours(sendTimes) + OpenCombinePeers.benchmarks + AsyncPeers.benchmarks + limits
    var places: [String: Int] = [:]
    for benchmark in all where places[benchmark.scenario] == nil { places[benchmark.scenario] = places.count }
    // The sort is stable, so implementations stay in the order of these lists.
    return all.sorted { places[$0.scenario, default: 0] < places[$1.scenario, default: 0] }
  }

  /// The benchmarks of Weir and of the mutex baseline.
  private static func ours(_ sendTimes: TimedScenarios) -> [Benchmark] {
    Emit.benchmarks + EmitUnserialized.benchmarks + EmitToMany.benchmarks + EmitFromTwoThreads.benchmarks
      + Contended.benchmarks + sendTimes.benchmarks + SubscribeDispose.benchmarks
      + SubscribeOperator.benchmarks + SubjectLife.benchmarks + HotChain.benchmarks + Combining.benchmarks
      + MergeFromTwoThreads.benchmarks
      + Flattening.benchmarks + ReplayEmit.benchmarks + ReplayLate.benchmarks + ReplayChurn.benchmarks
      + StateSet.benchmarks + StateRead.benchmarks + StateReadBesideSet.benchmarks + Sharing.benchmarks
      + CommandExecute.benchmarks + TimerArm.benchmarks + Disposables.benchmarks + ColdChain.benchmarks
      + Score.benchmarks
  }

  private static var limits: [Benchmark] {
    LimitCalls.benchmarks + LimitChains.benchmarks + LimitTurns.benchmarks + LimitStores.benchmarks
      + LimitAtomics.benchmarks + LimitAllocations.benchmarks + LimitContention.benchmarks
      + LimitTransfer.benchmarks
  }
}
