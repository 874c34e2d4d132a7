// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Values that hop to a scheduler, with both ends on one thread: all are sent, then all are delivered; or
/// each is delivered at once, where it does not need to hop.
enum HopProbe: String, CaseIterable, Probe {
  case send = "hop-send"
  case deliver = "hop-deliver"
  case here = "hop-not-needed"

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    let (scheduler, subject) = (WaitingScheduler(), Source())
    scheduler.isCurrent = self == .here
    let values = subject.observe(on: scheduler, self == .here ? .whenNeeded : .always)
    values.subscribe { cell.pointee &+= $0 &+ 16 }
    // The ring grows now, not while instructions are counted.
    for _ in 0..<2 * count { subject.send(0) }
    scheduler.run()
    cell.pointee = 0
    switch self {
    case .here: CountedHeap.watch { probeHopSend(subject, count) }
    case .send:
      CountedHeap.watch { probeHopSend(subject, count) }
      probeHopDeliver(scheduler)
    case .deliver:
      probeHopSend(subject, count)
      CountedHeap.watch { probeHopDeliver(scheduler) }
    }
  }

  /// After `count` values from 0 upwards were sent.
  func expected(_ count: Int) -> Int { sum(count) + 17 * count }
}

@inline(never)
func probeHopSend(_ subject: Source, _ count: Int) {
  for value in 0..<count { subject.send(value &+ 1) }
}

@inline(never)
func probeHopDeliver(_ scheduler: WaitingScheduler) { scheduler.run() }

/// Runs scheduled work when it is told to.
final class WaitingScheduler: Scheduler, @unchecked Sendable {  // the probes run on one thread
  private var waiting: [any ScheduledWork] = []
  var isCurrent = false

  func enqueue(_ work: any ScheduledWork) { waiting.append(work) }

  func run() { while let next = waiting.popLast() { next.run() } }
}
