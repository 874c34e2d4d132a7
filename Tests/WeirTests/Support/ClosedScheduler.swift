// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// A scheduler that has been shut down: abandons everything.
final class ClosedScheduler: TimedScheduler {
  let clock = VirtualScheduler().clock

  func enqueue(_ work: any ScheduledWork) { work.abandon() }

  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    work.abandon()
    return ActionDisposable {}
  }
}
