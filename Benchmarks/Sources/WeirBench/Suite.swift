// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// Every scenario, in the order of the report.
enum Suite {
  static var benchmarks: [Benchmark] {
    Emit.benchmarks + EmitFromTwoThreads.benchmarks + SubscribeDispose.benchmarks + Combining.benchmarks
      + MergeFromTwoThreads.benchmarks + Flattening.benchmarks + ReplayEmit.benchmarks + ReplayLate.benchmarks
      + ReplayChurn.benchmarks + StateSet.benchmarks + StateRead.benchmarks + StateReadBesideSet.benchmarks
      + Sharing.benchmarks + CommandExecute.benchmarks + TimerArm.benchmarks
      + ColdChain.benchmarks
      + LimitCalls.benchmarks + LimitTurns.benchmarks + LimitStores.benchmarks + LimitAtomics.benchmarks
  }
}
