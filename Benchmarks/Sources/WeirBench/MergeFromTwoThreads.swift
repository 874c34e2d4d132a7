// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// `merge-2-threads/2`: two subjects, each of which a thread of its own sends to, are merged into one
/// subscriber.
///
/// Each thread sends its index, and the subscriber counts the two separately, as in `emit-2-threads/K`.
enum MergeFromTwoThreads {
  static var benchmarks: [Benchmark] {
    [
      benchmark(WeirSource.self) { subscribe($0, $1) },
      benchmark(MutexCopySource.self) { subscribe($0, $1) },
      benchmark(MutexInsideSource.self) { subscribe($0, $1) },
    ]
  }

  private static func benchmark<S: HotSource>(
    _: S.Type, _ subscribe: @escaping (_ sources: ContiguousArray<S>, _ cell: Cell) -> Void
  ) -> Benchmark {
    let scenario = "merge-2-threads/2"
    return Benchmark(scenario: scenario, implementation: S.implementation) {
      let cells = Cells(count: 2 * Cells.intsPerLine)
      let sources: ContiguousArray = [S(), S()]
      subscribe(sources, cells.cell(0))
      return { operations in
        cells.reset()
        let perThread = (operations + 1) / 2
        let sample = measureConcurrently(threads: 2) { thread in
          sendIndexLoop(sources[thread], thread, perThread)
          return perThread
        }
        for thread in 0..<2 {
          verify(
            "\(scenario) \(S.implementation.name), values of thread \(thread)",
            cells[thread * Cells.intsPerLine], equals: perThread * (mark + S.mark))
        }
        return sample
      }
    }
  }

  private static var mark: Int { 90 }

  @inline(never)
  private static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) {
    Signal.merge(sources.map { $0.signal }).subscribe { cell.count($0, by: mark &+ WeirSource.mark) }
  }

  @inline(never)
  private static func subscribe<S: MutexSource>(_ sources: ContiguousArray<S>, _ cell: Cell) {
    _ = S.merge(Array(sources)) { cell.count($0, by: mark &+ S.mark) }
  }
}

@inline(never)
func sendIndexLoop<S: HotSource>(_ source: S, _ thread: Int, _ count: Int) {
  for _ in 0..<count { source.send(thread) }
}
