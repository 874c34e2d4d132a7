// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Synchronization

/// `contended/N`: N threads send into one subject with four subscribers; `contended/N-churn`: while another
/// thread subscribes and disposes, over and over. The figure is a twentieth of a second divided by the number
/// of values sent in it. With two processors, four threads take turns. `contended-slowest/N`: the same, as if
/// each thread had sent as few values as the one that has sent fewest.
///
/// Before, the thread that runs the benchmarks has sent: so `contended/1` is a sender that is alone now, but
/// was not the only one ever.
///
/// Each thread sends its index, and the subscribers count the threads separately, as in `emit-2-threads/K`.
enum Contended {
  static let senderCounts = [1, 2, 4]
  static let subscriberCount = 4

  static var benchmarks: [Benchmark] { cases.flatMap { compared($0.senders, $0.variant) } }

  /// Numbers of senders with variants. With one sender, the slowest one is no other than the only one.
  static var cases: [(senders: Int, variant: Variant)] {
    Variant.allCases.flatMap { variant in
      senderCounts.filter { $0 > 1 || variant != .slowest }.map { ($0, variant) }
    }
  }

  private static func compared(_ senders: Int, _ variant: Variant) -> [Benchmark] {
    [
      benchmark(WeirSubject.self, senders, variant), benchmark(CopySubject.self, senders, variant),
      benchmark(InsideSubject.self, senders, variant), benchmark(SnapshotSubject.self, senders, variant),
    ]
  }

  enum Variant: CaseIterable {
    case undisturbed, slowest, churn

    func scenario(_ senders: Int) -> String {
      switch self {
      case .undisturbed: "contended/\(senders)"
      case .slowest: "contended-slowest/\(senders)"
      case .churn: "contended/\(senders)-churn"
      }
    }
  }

  static func benchmark<S: MeasuredSubject>(_: S.Type, _ senders: Int, _ variant: Variant) -> Benchmark {
    let scenario = variant.scenario(senders)
    return Benchmark(scenario: scenario, implementation: S.implementation) {
      let counters = ThreadCounters(subscribers: subscriberCount + 1, threads: senders)
      let subject = S()
      let tokens = (0..<subscriberCount).map { subject.subscribe(countingInto: counters.first($0)) }
      let passing = counters.first(subscriberCount)
      // So a thread that is still alive has sent before those that are measured, also if that is only one:
      // otherwise a subject of Weir might belong to that one.
      emitIndexLoop(subject, 0, 2 * batch)
      let churn: @Sendable () -> Void = { subject.subscribe(countingInto: passing).dispose() }
      return { operations in
        counters.reset()
        let (period, sent) = (Period(operations: operations), SentCounts(threads: senders))
        var sample = withExtendedLifetime(tokens) {
          measureConcurrently(threads: senders, beside: variant == .churn ? churn : nil) { thread in
            sent.note(period.repeat { emitIndexLoop(subject, thread, batch) } * batch, of: thread)
          }
        }
        counters.verify("\(scenario) \(S.implementation.name)", subscribers: subscriberCount) {
          sent[$0] * S.mark
        }
        if variant == .slowest { sample.operations = sent.fewest * senders }
        return sample
      }
    }
  }

  /// How many values a thread sends between two looks at the clock.
  static let batch = 256
}

/// How many values each of several threads has sent.
final class SentCounts: Sendable {
  private let counts: Mutex<[Int]>

  init(threads: Int) { counts = Mutex(Array(repeating: 0, count: threads)) }

  func note(_ count: Int, of thread: Int) -> Int {
    counts.withLock { $0[thread] = count }
    return count
  }

  subscript(thread: Int) -> Int { counts.withLock { $0[thread] } }

  var fewest: Int { counts.withLock { $0.min() ?? 0 } }
}

/// The counts of each subscriber for each thread, all on cache lines of their own.
struct ThreadCounters {
  private let cells: Cells
  private let threads: Int

  init(subscribers: Int, threads: Int) {
    cells = Cells(count: subscribers * threads * Cells.intsPerLine)
    self.threads = threads
  }

  /// The counter of a subscriber for the first thread; the cache lines for the other threads follow.
  func first(_ subscriber: Int) -> Cell { cells.cell(subscriber * threads * Cells.intsPerLine) }

  func reset() { cells.reset() }

  func verify(_ name: String, subscribers: Int, _ expected: (_ thread: Int) -> Int) {
    for subscriber in 0..<subscribers {
      for thread in 0..<threads {
        BenchmarkKit.verify(
          "\(name), subscriber \(subscriber), values of thread \(thread)",
          cells[(subscriber * threads + thread) * Cells.intsPerLine], equals: expected(thread))
      }
    }
  }
}
