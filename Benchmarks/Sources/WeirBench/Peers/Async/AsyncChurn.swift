// Part of Weir. SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import BenchmarkKit
import Synchronization

/// A task that reads a `share()`d stream is started, cancelled and awaited, while other tasks read it; and a
/// task whose cancellation runs a closure.
enum AsyncChurn {
  static var benchmarks: [Benchmark] { [0, 100].map(subscribeDispose) + [cancellation] }

  private static func subscribeDispose(_ staying: Int) -> Benchmark {
    let scenario = "subscribe-dispose/\(staying)"
    return Benchmark(scenario: scenario, implementation: .asyncAlgorithms) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let shared = stream.share()
      let cells = SharedCells(count: staying + 1)
      for index in 0..<staying {
        let cell = cells.cell(index)
        Task.detached { for await value in shared { cell.add(value) } }
      }
      let passing = cells.cell(staying)
      return { operations in
        let sample = measureInTask(operations) {
          for _ in 0..<operations {
            let task = Task.detached { for await value in shared { passing.add(value) } }
            task.cancel()
            await task.value
          }
        }
        withExtendedLifetime(continuation) {
          verify("\(scenario) async-algorithms, received", cells.cells[staying], equals: 0)
        }
        return sample
      }
    }
  }

  private static var cancellation: Benchmark {
    Benchmark(scenario: "dispose-action", implementation: .asyncStream) {
      return { operations in
        let cancelled = Counter()
        let sample = measureInTask(operations) {
          for number in 0..<operations {
            let task = Task.detached {
              await withTaskCancellationHandler {
                // Waits until the task is cancelled: a task that ends at once may be gone before its handler
                // is called.
                while cancelled.value.load(ordering: .relaxed) == number { await Task.yield() }
              } onCancel: {
                cancelled.increment(by: 1)
              }
            }
            task.cancel()
            await task.value
          }
        }
        verify(
          "dispose-action async-stream, disposed", cancelled.value.load(ordering: .relaxed),
          equals: operations)
        return sample
      }
    }
  }
}
