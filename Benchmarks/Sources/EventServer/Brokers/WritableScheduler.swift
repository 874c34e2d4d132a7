// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore
import Weir

/// Runs work on the loop of a connection while the client keeps up.
///
/// A hop onto it delivers nothing to a client that does not keep up: its events wait in the hop, up to the
/// bound, and cost no time.
final class WritableScheduler: Scheduler {
  private let outlet: any Outlet
  private let scheduler: any Scheduler

  /// - Parameter scheduler: runs work on the loop of the outlet.
  init(_ outlet: any Outlet, on scheduler: any Scheduler) {
    self.outlet = outlet
    self.scheduler = scheduler
  }

  /// Whether the calling code need not hop, because it runs where this scheduler would run it. Called only on
  /// the loop, since the mailbox is fed there.
  var isCurrent: Bool { outlet.isWritable }

  func enqueue(_ work: any ScheduledWork) {
    scheduler.enqueue(WritableWork(work, on: self))
  }

  fileprivate func run(_ work: WritableWork) {
    if outlet.isWritable { performAsCurrent { work.perform() } } else { outlet.whenWritable(work.run) }
  }
}

/// Work that waits until the client keeps up. If it is released without being run, it is abandoned.
private final class WritableWork: ScheduledWork, @unchecked Sendable {
  // Unchecked: it is handed over, and only one thread at a time uses it.
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
