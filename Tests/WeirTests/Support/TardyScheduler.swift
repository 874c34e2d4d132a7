// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// A scheduler in virtual time that is always late: by the whole tolerance, and some more.
final class TardyScheduler: TimedScheduler {
  private let onTime: VirtualScheduler
  private let lateness: Duration

  init(_ scheduler: VirtualScheduler, by lateness: Duration = .zero) {
    onTime = scheduler
    self.lateness = lateness
  }

  var clock: VirtualClock { onTime.clock }
  func enqueue(_ work: any ScheduledWork) { onTime.enqueue(work) }
  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    onTime.enqueue(work, at: instant.advanced(by: tolerance + lateness), tolerance: .zero)
  }
}
