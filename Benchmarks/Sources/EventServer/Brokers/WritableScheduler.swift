// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore
import Weir

/// Runs work on the loop of a connection while its reader keeps up.
///
/// So a hop onto it delivers nothing to one that does not: its events wait there, up to their bound, and take
/// nobody's time.
final class WritableScheduler: Scheduler {
  private let outlet: any Outlet
  private let scheduler: any Scheduler

  /// - Parameter scheduler: runs work on the loop of the outlet.
  init(_ outlet: any Outlet, on scheduler: any Scheduler) {
    self.outlet = outlet
    self.scheduler = scheduler
  }

  /// Whether what the calling code does is as good as run by this scheduler. Asked on the loop only, as the
  /// mailbox is fed there.
  var isCurrent: Bool { outlet.isWritable }

  func enqueue(_ work: any ScheduledWork) {
    scheduler.enqueue(WritableWork(work, on: self))
  }

  fileprivate func run(_ work: WritableWork) {
    if outlet.isWritable { performAsCurrent { work.perform() } } else { outlet.whenWritable(work.run) }
  }
}

/// Work that waits until the reader keeps up. If it is forgotten, it is abandoned.
private final class WritableWork: ScheduledWork, @unchecked Sendable {
  // Unchecked: used by whoever has it, one thread after the other.
  private var work: (any ScheduledWork)?
  private let scheduler: WritableScheduler

  init(_ work: any ScheduledWork, on scheduler: WritableScheduler) {
    self.work = work
    self.scheduler = scheduler
  }

  deinit { abandon() }

  func run() { scheduler.run(self) }
  func perform() { work.take()?.run() }
  func abandon() { work.take()?.abandon() }
}
