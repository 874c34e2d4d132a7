// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Dispatch
import Synchronization

/// Runs `body` as a task on the default executor, and reports the time from its start to its end. The
/// measuring thread sleeps meanwhile.
///
/// - Returns: a sample without allocations, since tasks that wait for one another run on several threads.
func measureInTask(_ operations: Int, _ body: @escaping @Sendable () async -> Void) -> Sample {
  let nanoseconds = Mutex<Int64>(0)
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    let start = bench_monotonic_ns()
    await body()
    let end = bench_monotonic_ns()
    nanoseconds.withLock { $0 = end - start }
    isDone.signal()
  }
  isDone.wait()
  return Sample(operations: operations, nanoseconds: nanoseconds.withLock { $0 }, heap: nil)
}

/// The same for a task that never waits. It stays on one thread, whose allocations are counted.
func measureInOneTask(_ operations: Int, _ body: @escaping @Sendable () async -> Void) -> Sample {
  let heap = Mutex(HeapUse())
  var sample = measureInTask(operations) {
    let before = HeapUse.ofThisThread
    await body()
    let used = HeapUse.ofThisThread - before
    heap.withLock { $0 = used }
  }
  sample.heap = heap.withLock { $0 }
  return sample
}
