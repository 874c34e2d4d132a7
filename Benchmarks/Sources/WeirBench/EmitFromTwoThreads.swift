// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `emit-2-threads/K`: two threads send into one subject with K subscribers.
///
/// Half of the implementations do not serialise senders, so with one plain counter per subscriber they would
/// lose additions. So each thread sends its own index, and each subscriber counts the two separately, on
/// cache lines of their own: the same subscriber for all, and the best case for callbacks that overlap.
enum EmitFromTwoThreads: SubjectScenario {
  static let subscriberCounts = [1, 8, 64]

  static func benchmark<S: MeasuredSubject>(_: S.Type, subscribers: Int) -> Benchmark {
    let scenario = "emit-2-threads/\(subscribers)"
    return Benchmark(scenario: scenario, implementation: S.implementation) {
      let counters = ThreadCounters(subscribers: subscribers, threads: 2)
      let subject = S()
      let tokens = (0..<subscribers).map { subject.subscribe(countingInto: counters.first($0)) }
      return { operations in
        counters.reset()
        let perThread = (operations + 1) / 2
        let sample = withExtendedLifetime(tokens) {
          measureConcurrently(threads: 2) { thread in
            emitIndexLoop(subject, thread, perThread)
            return perThread
          }
        }
        counters.verify(
          "\(scenario) \(S.implementation.name)", subscribers: subscribers
        ) { _ in perThread * S.mark }
        return sample
      }
    }
  }
}

@inline(never)
func emitIndexLoop<S: MeasuredSource>(_ subject: S, _ thread: Int, _ count: Int) {
  for _ in 0..<count { subject.send(thread) }
}
