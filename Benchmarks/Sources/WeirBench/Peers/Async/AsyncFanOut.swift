// Part of Weir. SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import BenchmarkKit
import Synchronization

/// One sender and several receivers, each of which is a task: with an `AsyncStream` for each, with one
/// `share()`d stream, and with a channel. All values are sent before the first one is awaited, which is the
/// best case.
enum AsyncFanOut {
  static var benchmarks: [Benchmark] {
    [8, 64].map(streams) + [1, 8, 64].map(shared) + [channel]
  }

  private static func streams(_ receivers: Int) -> Benchmark {
    benchmark(receivers, .asyncStream, mark: 11) { cells, count in
      await withTaskGroup { group in
        let continuations = (0..<receivers).map { receiver in
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          let cell = cells.cell(receiver)
          group.addTask { for await value in stream { cell.add(value &+ 11) } }
          return continuation
        }
        for value in 0..<count { for continuation in continuations { continuation.yield(value) } }
        for continuation in continuations { continuation.finish() }
      }
    }
  }

  private static func shared(_ receivers: Int) -> Benchmark {
    benchmark(receivers, .asyncAlgorithms, mark: 12) { cells, count in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let shared = stream.share()
      let listening = Counter()
      await withTaskGroup { group in
        for receiver in 0..<receivers {
          let cell = cells.cell(receiver)
          group.addTask {
            var iterator = shared.makeAsyncIterator()
            listening.increment(by: 1)
            while let value = await iterator.next(isolation: nil) { cell.add(value &+ 12) }
          }
        }
        // A task that came late would miss values.
        while listening.value.load(ordering: .acquiring) < receivers { await Task.yield() }
        for value in 0..<count { continuation.yield(value) }
        continuation.finish()
      }
    }
  }

  /// A sender that waits for each value to be taken.
  private static var channel: Benchmark {
    benchmark(1, .asyncChannel, mark: 13) { cells, count in
      let channel = AsyncChannel<Int>()
      let cell = cells.cell(0)
      await withTaskGroup { group in
        group.addTask { for await value in channel { cell.add(value &+ 13) } }
        for value in 0..<count { await channel.send(value) }
        channel.finish()
      }
    }
  }

  private static func benchmark(
    _ receivers: Int, _ implementation: Implementation, mark: Int,
    _ run: @escaping @Sendable (_ cells: SharedCells, _ count: Int) async -> Void
  ) -> Benchmark {
    let scenario = "emit/\(receivers)"
    return Benchmark(scenario: scenario, implementation: implementation) {
      let cells = SharedCells(count: receivers)
      return { operations in
        cells.cells.reset()
        let sample = measureInTask(operations) { await run(cells, operations) }
        for receiver in 0..<receivers {
          verify(
            "\(scenario) \(implementation.name), receiver \(receiver)", cells.cells[receiver],
            equals: OperatorScenarios.sum(operations) + operations * mark)
        }
        return sample
      }
    }
  }
}

/// Cells that are divided among tasks.
struct SharedCells: @unchecked Sendable {  // each is used by one task, and read when all have ended
  let cells: Cells
  init(count: Int) { cells = Cells(count: count) }
  func cell(_ index: Int) -> Cell { cells.cell(index) }
}
