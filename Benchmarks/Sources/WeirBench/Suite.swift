// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// Every scenario, in the order of the report.
enum Suite {
  /// What is compared runs in a row: implementations of a scenario stand where its first one does.
  static var benchmarks: [Benchmark] {
    let all = ours + OpenCombinePeers.benchmarks + AsyncPeers.benchmarks + limits
    var places: [String: Int] = [:]
    for benchmark in all where places[benchmark.scenario] == nil { places[benchmark.scenario] = places.count }
    // Stable: the order of implementations is that of the lists.
    return all.sorted { places[$0.scenario, default: 0] < places[$1.scenario, default: 0] }
  }

  /// Weir's, and those of the mutex baseline.
  private static var ours: [Benchmark] {
    Emit.benchmarks + EmitUnserialized.benchmarks + EmitFromTwoThreads.benchmarks + Contended.benchmarks
      + SubscribeDispose.benchmarks + SubscribeOperator.benchmarks + SubjectLife.benchmarks
      + HotChain.benchmarks + Combining.benchmarks + MergeFromTwoThreads.benchmarks + Flattening.benchmarks
      + ReplayEmit.benchmarks + ReplayLate.benchmarks + ReplayChurn.benchmarks + StateSet.benchmarks
      + StateRead.benchmarks + StateReadBesideSet.benchmarks + Sharing.benchmarks + CommandExecute.benchmarks
      + TimerArm.benchmarks + Disposables.benchmarks + ColdChain.benchmarks + Score.benchmarks
  }

  private static var limits: [Benchmark] {
    LimitCalls.benchmarks + LimitChains.benchmarks + LimitTurns.benchmarks + LimitStores.benchmarks
      + LimitAtomics.benchmarks + LimitAllocations.benchmarks + LimitContention.benchmarks
  }
}
