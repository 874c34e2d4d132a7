// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// A serial scheduler that runs scheduled work when the test says so, on the thread of the test.
final class QueuedScheduler: Scheduler, @unchecked Sendable {  // used by one thread at a time
  private var waiting: [any ScheduledWork] = []
  private var isStopped = false

  func enqueue(_ work: any ScheduledWork) {
    if isStopped { work.abandon() } else { waiting.append(work) }
  }

  func runOne() {
    let next = waiting.removeFirst()
    performAsCurrent { next.run() }
  }
  func runAll() { while !waiting.isEmpty { runOne() } }

  /// Abandons queued and new work, which may retain the objects that retain the scheduler.
  func stop() {
    isStopped = true
    for work in waiting { work.abandon() }
    waiting = []
  }
}
