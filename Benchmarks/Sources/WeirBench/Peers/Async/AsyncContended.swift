// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Dispatch

/// Threads send into four streams, each of which a task reads. The time ends when everything has been read.
enum AsyncContended {
  static var benchmarks: [Benchmark] { Contended.senderCounts.map(benchmark) }

  private static var mark: Int { 31 }

  private static func benchmark(_ senders: Int) -> Benchmark {
    let scenario = "contended/\(senders)"
    return Benchmark(scenario: scenario, implementation: .asyncStream) {
      let counters = ThreadCounters(subscribers: Contended.subscriberCount, threads: senders)
      return { operations in
        counters.reset()
        let (period, sent) = (Period(operations: operations), SentCounts(threads: senders))
        let readers = DispatchGroup()
        let continuations = (0..<Contended.subscriberCount).map { subscriber in
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          let cell = counters.first(subscriber)
          readers.enter()
          Task.detached {
            for await thread in stream { cell.count(thread, by: mark) }
            readers.leave()
          }
          return continuation
        }
        let finish = {
          for continuation in continuations { continuation.finish() }
          readers.wait()
        }
        var sample = measureConcurrently(threads: senders, finish: finish) { thread in
          let rounds = period.repeat {
            for _ in 0..<Contended.batch {
              for continuation in continuations { continuation.yield(thread) }
            }
          }
          return sent.note(rounds * Contended.batch, of: thread)
        }
        sample.heap = nil
        counters.verify("\(scenario) async-stream", subscribers: Contended.subscriberCount) {
          sent[$0] * mark
        }
        return sample
      }
    }
  }
}
