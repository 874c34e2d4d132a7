// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `shared-calls/N`: N threads call the same four objects, with nothing in between: `contended/N` without a
/// subject.
enum LimitContention {
  static var benchmarks: [Benchmark] { Contended.senderCounts.map(benchmark) }

  private static func benchmark(threads: Int) -> Benchmark {
    let scenario = "shared-calls/\(threads)"
    return Benchmark(scenario: scenario, implementation: .limit) {
      let counters = ThreadCounters(subscribers: Contended.subscriberCount, threads: threads)
      let targets = ContiguousArray(
        (0..<Contended.subscriberCount).map { opaque(CountingTarget(counters.first($0)) as IndexTarget) })
      return { operations in
        counters.reset()
        let (period, sent) = (Period(operations: operations), SentCounts(threads: threads))
        let sample = measureConcurrently(threads: threads) { thread in
          targets.withUnsafeBufferPointer { owned in
            owned.withMemoryRebound(to: Unmanaged<IndexTarget>.self) { targets in
              let rounds = period.repeat { indexWalkLoop(targets, thread, Contended.batch) }
              return sent.note(rounds * Contended.batch, of: thread)
            }
          }
        }
        counters.verify(scenario, subscribers: Contended.subscriberCount) { sent[$0] * CountingTarget.mark }
        return sample
      }
    }
  }
}

class IndexTarget: @unchecked Sendable {  // each thread counts in memory of its own
  func receive(_ thread: Int) {}
}

final class CountingTarget: IndexTarget, @unchecked Sendable {
  static var mark: Int { 9 }
  private let cell: Cell
  init(_ cell: Cell) { self.cell = cell }
  override func receive(_ thread: Int) { cell.count(thread, by: Self.mark) }
}

/// Another one, so that the call is a virtual one.
final class DeafTarget: IndexTarget, @unchecked Sendable {
  override func receive(_ thread: Int) {}
}

@inline(never)
private func indexWalkLoop(
  _ targets: UnsafeBufferPointer<Unmanaged<IndexTarget>>, _ thread: Int, _ count: Int
) {
  for _ in 0..<count {
    for target in targets { target._withUnsafeGuaranteedRef { $0.receive(thread) } }
  }
}
