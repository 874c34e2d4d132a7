// Part of Weir. SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import BenchmarkKit

/// Combining streams that hold all their values before the first is taken. The package combines up to three;
/// eight are merged, and four combined, by merges of merges and so on.
enum AsyncCombining {
  static var benchmarks: [Benchmark] {
    [
      benchmark(Merge8.self, mark: 21, exactly: { Merge8.expected($0).sum }) { sources, cell in
        let first = merge(sources[0], sources[1], sources[2])
        let second = merge(sources[3], sources[4], sources[5])
        for await value in merge(first, second, merge(sources[6], sources[7])) { cell.add(value &+ 21) }
      },
      benchmark(Zip2.self, mark: 22, exactly: { Zip2.expected($0).sum - $0 / 2 * 22 }) { sources, cell in
        for await (left, right) in zip(sources[0], sources[1]) { cell.add(left &+ right &+ 22) }
      },
      newest(CombineLatest2.self) { sources in
        var last = 0
        for await (left, right) in combineLatest(sources[0], sources[1]) { last = left &+ right }
        return last
      },
      newest(CombineLatest4.self) { sources in
        var last = 0
        let left = combineLatest(sources[0], sources[1])
        for await (one, other) in combineLatest(left, combineLatest(sources[2], sources[3])) {
          last = one.0 &+ one.1 &+ other.0 &+ other.1
        }
        return last
      },
    ]
  }

  /// - Parameter exactly: the sum that must have been added up, without the marks, for the number of values
  ///   sent.
  private static func benchmark(
    _ scenario: any OperatorScenario.Type, mark: Int, exactly sum: @escaping (_ count: Int) -> Int,
    _ run: @escaping @Sendable (_ sources: [AsyncStream<Int>], _ cell: Cell) async -> Void
  ) -> Benchmark {
    Benchmark(scenario: scenario.name, implementation: .asyncAlgorithms) {
      let cells = Cells(count: 1)
      let cell = cells.cell(0)
      return { operations in
        let sources = scenario.sourceCount
        let count = rounded(operations, sources)
        cells.reset()
        let sample = measureInTask(count) { await run(filled(sources, count), cell) }
        verify("\(scenario.name) async-algorithms, checksum", cells[0], equals: sum(count) + count * mark)
        return sample
      }
    }
  }

  /// The number of combinations depends on which stream comes first; the last combination does not.
  ///
  /// - Parameter run: returns the sum of the last combination.
  private static func newest(
    _ scenario: any OperatorScenario.Type,
    _ run: @escaping @Sendable (_ sources: [AsyncStream<Int>]) async -> Int
  ) -> Benchmark {
    Benchmark(scenario: scenario.name, implementation: .asyncAlgorithms) {
      let cells = Cells(count: 1)
      let cell = cells.cell(0)
      return { operations in
        let sources = scenario.sourceCount
        let count = rounded(operations, sources)
        cells.reset()
        let sample = measureInTask(count) { cell.add(await run(filled(sources, count))) }
        verify(
          "\(scenario.name) async-algorithms, newest", cells[0],
          equals: (count - sources..<count).reduce(0, +))
        return sample
      }
    }
  }

  private static func rounded(_ operations: Int, _ sources: Int) -> Int {
    (operations + sources - 1) / sources * sources
  }

  /// Streams that hold the numbers up to `count`, dealt out in turn.
  @Sendable
  private static func filled(_ sources: Int, _ count: Int) -> [AsyncStream<Int>] {
    (0..<sources).map { source in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      for value in stride(from: source, to: count, by: sources) { continuation.yield(value) }
      continuation.finish()
      return stream
    }
  }
}
