// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// A serial scheduler in virtual time that can be shut down, as the documentation of `ShutdownReport` says:
/// it gives up what is queued, at once, and what waits for its time, when that has come.
final class StoppableScheduler: TimedScheduler, @unchecked Sendable {  // for one thread
  /// Its time, which goes on.
  let time = VirtualScheduler()
  /// Runs tasks in the same time, even when this has been shut down: a task cannot be given up.
  let tasks: SchedulerTaskExecutor
  private var queued: [Piece] = []
  fileprivate private(set) var isShutDown = false

  init() { tasks = SchedulerTaskExecutor(time) }

  var clock: VirtualClock { time.clock }

  func enqueue(_ work: any ScheduledWork) {
    if isShutDown { return work.abandon() }
    let piece = Piece(work, on: self)
    queued.append(piece)
    time.enqueue(piece)
  }

  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    time.enqueue(Piece(work, on: self), at: instant, tolerance: tolerance)
  }

  /// Returns how many pieces of work were queued.
  func shutDown() -> Int {
    isShutDown = true
    let given = queued
    queued = []
    for piece in given { piece.giveUp() }
    return given.count
  }

  fileprivate func drop(_ piece: Piece) { queued.removeAll { $0 === piece } }

  fileprivate final class Piece: ScheduledWork, @unchecked Sendable {  // for one thread
    private var work: (any ScheduledWork)?
    private let scheduler: StoppableScheduler

    init(_ work: any ScheduledWork, on scheduler: StoppableScheduler) {
      (self.work, self.scheduler) = (work, scheduler)
    }

    func run() {
      scheduler.drop(self)
      if scheduler.isShutDown { return giveUp() }
      if let work = work.take() { scheduler.performAsCurrent { work.run() } }
    }

    func giveUp() { work.take()?.abandon() }
  }
}
