// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Dispatch

/// Threads send into four streams, each of which a task reads. The time ends when all has been read.
enum AsyncContended {
  static var benchmarks: [Benchmark] { Contended.senderCounts.map(benchmark) }

  private static var mark: Int { 31 }

  private static func benchmark(_ senders: Int) -> Benchmark {
    let scenario = "contended/\(senders)"
    return Benchmark(scenario: scenario, implementation: .asyncStream) {
      let counters = ThreadCounters(subscribers: Contended.subscriberCount, threads: senders)
      return { operations in
        counters.reset()
        let perThread = (operations + senders - 1) / senders
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
        var sample = measureConcurrently(threads: senders, operationsPerThread: perThread) {
          for continuation in continuations { continuation.finish() }
          readers.wait()
        } _: { thread in
          for _ in 0..<perThread { for continuation in continuations { continuation.yield(thread) } }
        }
        sample.heap = nil
        counters.verify(
          "\(scenario) async-stream", subscribers: Contended.subscriberCount, each: perThread * mark)
        return sample
      }
    }
  }
}
