// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine

/// `subscriber: subject` for other libraries: one of ten thousand subscribers of an OpenCombine subject, with
/// its cancellable; and a task that waits for an `AsyncStream` of its own, with the stream.
enum PeerSubscribers {
  // Only one thread does all of this, and nothing is sent.
  nonisolated(unsafe) private static let counters = Cells(count: 1)

  static var items: [Item] {
    let cell = counters.cell(0)
    let executor = ThisThread()
    return [
      Item(piece: "subscriber", source: "subject", implementation: "opencombine") {
        .ofEach(10_000) {
          PassthroughSubject<Int, Never>()
        } _: {
          $0.sink { cell.add($0) }
        } end: {
          $0.cancel()
        }
      },
      Item(piece: "subscriber", source: "subject", implementation: "async-stream") {
        .ofEach(10_000) {
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          Task.detached(executorPreference: executor) { for await value in stream { cell.add(value) } }
          executor.runAll()
          return continuation
        } end: {
          $0.finish()
          executor.runAll()
        }
      },
    ]
  }
}

/// Runs tasks on the thread whose allocations are counted.
///
/// `@unchecked Sendable`: only that thread creates tasks and wakes them.
private final class ThisThread: TaskExecutor, @unchecked Sendable {
  private var waiting: [UnownedJob] = []

  init() { waiting.reserveCapacity(16) }

  func enqueue(_ job: consuming ExecutorJob) { waiting.append(UnownedJob(job)) }

  func runAll() { while let job = waiting.popLast() { job.runSynchronously(on: asUnownedTaskExecutor()) } }
}
