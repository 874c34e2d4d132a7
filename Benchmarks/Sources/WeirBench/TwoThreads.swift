// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Synchronization

/// What one of the two threads observed of its own work.
private struct Lap {
  var start: Int64 = 0
  var end: Int64 = 0
  var heap = HeapUse()

  init() {}

  init(of body: () -> Void) {
    let heapBefore = HeapUse.ofThisThread
    start = bench_monotonic_ns()
    body()
    end = bench_monotonic_ns()
    heap = HeapUse.ofThisThread - heapBefore
  }
}

/// Holds two threads back until both run, each on a processor of its own.
///
/// A new thread often starts on the processor of its sibling and stays there for milliseconds; the two would
/// then take turns, and a contended scenario would report a quiet one. Nothing is pinned: where the threads go
/// after the start is up to the kernel. Spins, because a thread woken from sleep starts late.
private final class StartingLine: Sendable {
  private static let nowhere: Int32 = -1
  private let placeOfFirst = Atomic<Int32>(nowhere)
  private let placeOfSecond = Atomic<Int32>(nowhere)
  private let isOpen = Atomic<Bool>(false)
  private let mayShare = bench_usable_processors() < 2

  func waitAsFirst() { wait { placeOfFirst.store($0, ordering: .releasing) } }

  func waitAsSecond() { wait { placeOfSecond.store($0, ordering: .releasing) } }

  private func wait(_ report: (_ processor: Int32) -> Void) {
    while !isOpen.load(ordering: .acquiring) {
      report(bench_current_processor())
      let first = placeOfFirst.load(ordering: .acquiring)
      let second = placeOfSecond.load(ordering: .acquiring)
      if first == Self.nowhere || second == Self.nowhere { continue }
      if first != second || mayShare { isOpen.store(true, ordering: .releasing) }
    }
  }
}

/// Runs `body` on two threads at once and reports the wall time from the first start to the last end.
func measureOnTwoThreads(
  operationsPerThread: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void
) -> Sample {
  let line = StartingLine()
  let laps = Mutex([Lap(), Lap()])
  let threads = (0..<2).map { index in
    Thread {
      if index == 0 { line.waitAsFirst() } else { line.waitAsSecond() }
      let lap = Lap(of: { body(index) })
      laps.withLock { $0[index] = lap }
    }
  }
  for thread in threads { thread.join() }
  let (first, second) = laps.withLock { ($0[0], $0[1]) }
  return Sample(
    operations: 2 * operationsPerThread,
    nanoseconds: max(first.end, second.end) - min(first.start, second.start),
    heap: first.heap + second.heap)
}

/// Runs `body` while a second thread repeats `disturbance`, and reports what the body took and allocated.
func measure(
  _ operations: Int, beside disturbance: @escaping @Sendable () -> Void,
  _ body: @escaping @Sendable () -> Void
) -> Sample {
  let line = StartingLine()
  let isOver = Atomic<Bool>(false)
  let result = Mutex(Lap())
  let threads = [
    Thread {
      line.waitAsFirst()
      let lap = Lap(of: body)
      isOver.store(true, ordering: .releasing)
      result.withLock { $0 = lap }
    },
    Thread {
      line.waitAsSecond()
      while !isOver.load(ordering: .acquiring) { disturbance() }
    },
  ]
  for thread in threads { thread.join() }
  let lap = result.withLock { $0 }
  return Sample(operations: operations, nanoseconds: lap.end - lap.start, heap: lap.heap)
}
