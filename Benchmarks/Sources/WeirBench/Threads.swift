// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport
import Glibc
import Synchronization

/// A POSIX thread that runs one closure.
struct Thread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let handle: pthread_t

  init(_ run: @escaping @Sendable () -> Void) {
    var handle = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    let error = pthread_create(
      &handle, nil,
      { argument in
        // pthread hands back the pointer it was given, which is never nil here.
        Unmanaged<Body>.fromOpaque(argument.unsafelyUnwrapped).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if error != 0 { fail("cannot start a thread: \(String(cString: strerror(error)))", status: 71) }
    self.handle = handle
  }

  func join() { pthread_join(handle, nil) }

  /// Starts a thread that never does anything. glibc leaves the lock prefix out of its mutexes as long as a
  /// process has one thread, which no server has: without this a pthread mutex would look 3 times cheaper.
  static func park() {
    _ = Thread { while true { pause() } }
  }
}

/// What one of the two threads observed of its own work.
private struct Lap {
  var start: Int64 = 0
  var end: Int64 = 0
  var allocations: Int64 = 0
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
      let allocationsBefore = bench_allocation_count()
      let start = bench_monotonic_ns()
      body(index)
      let end = bench_monotonic_ns()
      let allocations = bench_allocation_count() - allocationsBefore
      laps.withLock { $0[index] = Lap(start: start, end: end, allocations: allocations) }
    }
  }
  for thread in threads { thread.join() }
  let (first, second) = laps.withLock { ($0[0], $0[1]) }
  return Sample(
    operations: 2 * operationsPerThread,
    nanoseconds: max(first.end, second.end) - min(first.start, second.start),
    allocations: first.allocations + second.allocations)
}
