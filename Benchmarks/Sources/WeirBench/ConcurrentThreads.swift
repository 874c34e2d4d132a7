// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Synchronization

/// The work of one of several threads, as that thread has measured it.
private struct Lap {
  var operations: Int
  var start: Int64
  var end: Int64
  var heap: HeapUse

  init(of body: () -> Int) {
    let heapBefore = HeapUse.ofThisThread
    start = bench_monotonic_ns()
    operations = body()
    end = bench_monotonic_ns()
    heap = HeapUse.ofThisThread - heapBefore
  }
}

/// Holds threads back until all are running, each on a processor of its own if there are enough.
///
/// A new thread often starts on the processor of another new one and stays there for milliseconds. The two
/// would then take turns, and a contended scenario would be measured without contention. Threads are not
/// pinned: where they run after the start is up to the kernel. Spins, because a thread woken from sleep
/// starts late. On a busy machine the kernel may never spread the threads, so the wait is limited.
private final class StartingLine: Sendable {
  private static let nowhere: Int32 = -1
  private static let patience: Int64 = 20_000_000

  private let places: Mutex<[Int32]>
  private let latest = bench_monotonic_ns() + patience
  private let isOpen = Atomic<Bool>(false)
  private let mayShare: Bool

  init(threads: Int) {
    mayShare = threads > Int(bench_usable_processors())
    places = Mutex(Array(repeating: Self.nowhere, count: threads))
  }

  func wait(_ thread: Int) {
    while !isOpen.load(ordering: .acquiring) {
      if report(thread, on: bench_current_processor()) { isOpen.store(true, ordering: .releasing) }
    }
  }

  /// Whether the threads may start.
  private func report(_ thread: Int, on processor: Int32) -> Bool {
    places.withLock { places in
      places[thread] = processor
      if places.contains(Self.nowhere) { return false }
      return mayShare || Set(places).count == places.count || bench_monotonic_ns() > latest
    }
  }
}

/// Runs `body` on several threads at once, and reports the wall time from the first start to the last end.
///
/// - Parameters:
///   - disturbance: repeated by another thread meanwhile; neither its time nor its allocations are reported.
///   - finish: called after the last end; the time includes it.
///   - body: returns how many operations the thread has performed.
func measureConcurrently(
  threads: Int, beside disturbance: (@Sendable () -> Void)? = nil,
  finish: (() -> Void)? = nil, _ body: @escaping @Sendable (_ thread: Int) -> Int
) -> Sample {
  let line = StartingLine(threads: threads + (disturbance == nil ? 0 : 1))
  let laps = Mutex<[Lap]>([])
  let isOver = Atomic<Bool>(false)
  let measured = (0..<threads).map { index in
    Thread {
      line.wait(index)
      let lap = Lap { body(index) }
      laps.withLock { $0.append(lap) }
    }
  }
  let disturbing = disturbance.map { disturbance in
    Thread {
      line.wait(threads)
      while !isOver.load(ordering: .acquiring) { disturbance() }
    }
  }
  for thread in measured { thread.join() }
  finish?()
  let end: Int64 = finish == nil ? .min : bench_monotonic_ns()
  isOver.store(true, ordering: .releasing)
  disturbing?.join()
  return laps.withLock { laps in
    Sample(
      operations: laps.reduce(0) { $0 + $1.operations },
      nanoseconds: laps.reduce(end) { max($0, $1.end) } - laps.reduce(.max) { min($0, $1.start) },
      heap: laps.reduce(HeapUse()) { $0 + $1.heap })
  }
}

/// Runs `body` while a second thread repeats `disturbance`. Reports the time and the allocations of `body`.
func measure(
  _ operations: Int, beside disturbance: @escaping @Sendable () -> Void,
  _ body: @escaping @Sendable () -> Void
) -> Sample {
  measureConcurrently(threads: 1, beside: disturbance) { _ in
    body()
    return operations
  }
}

/// A fixed time that several threads share; it begins with the first of them.
///
/// With more threads than processors, some wait for milliseconds until the kernel lets them run. The time for
/// a given number of operations would then mostly be that wait. The number of operations in a given time is
/// not affected, if that time contains several turns of each thread.
final class Period: Sendable {
  static let longest: Int64 = 50_000_000

  private let length: Int64
  private let end = Atomic<Int64>(0)

  /// - Parameter operations: with only a few operations the time is short.
  init(operations: Int) { length = min(Self.longest, Int64(operations) * 100_000) }

  /// Returns how many times it has run `body`.
  func `repeat`(_ body: () -> Void) -> Int {
    _ = end.compareExchange(expected: 0, desired: bench_monotonic_ns() + length, ordering: .relaxed)
    let end = end.load(ordering: .relaxed)
    var count = 0
    repeat {
      body()
      count += 1
    } while bench_monotonic_ns() < end
    return count
  }
}
