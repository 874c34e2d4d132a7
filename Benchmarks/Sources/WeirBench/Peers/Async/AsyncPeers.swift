// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// All scenarios that the standard library's asynchronous sequences or the package swift-async-algorithms
/// support.
///
/// Left out: `flatMapLatest` of swift-async-algorithms 1.1.4, the counterpart of `switch-just`, hangs now and
/// then when values come in a burst. There is no counterpart of a replay subject, of a current value, and of
/// `withLatest`.
enum AsyncPeers {
  static var benchmarks: [Benchmark] {
    AsyncChain.benchmarks + AsyncFanOut.benchmarks + AsyncContended.benchmarks + AsyncChurn.benchmarks
      + AsyncCombining.benchmarks + AsyncCold.benchmarks + AsyncScore.benchmarks
  }
}
