// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// A scenario for every kind of subject, with several numbers of subscribers.
protocol SubjectScenario {
  static var subscriberCounts: [Int] { get }
  static func benchmark<S: MeasuredSubject>(_: S.Type, subscribers: Int) -> Benchmark
}

extension SubjectScenario {
  /// All implementations with the first count, then all with the next: those that are compared run one after
  /// the other.
  static var benchmarks: [Benchmark] {
    subscriberCounts.flatMap { count in
      [
        benchmark(WeirSubject.self, subscribers: count),
        benchmark(CopySubject.self, subscribers: count),
        benchmark(InsideSubject.self, subscribers: count),
        benchmark(SnapshotSubject.self, subscribers: count),
      ]
    }
  }
}
