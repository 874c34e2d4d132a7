// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// A scheduler whose time advances as soon as work is delayed: runs everything at once, on the calling
/// thread.
final class HastyScheduler: TimedScheduler {
  private let time = VirtualScheduler()
  var clock: VirtualClock { time.clock }

  func enqueue(_ work: any ScheduledWork) { performAsCurrent { work.run() } }

  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    time.advance(to: instant)
    enqueue(work)
    return ActionDisposable {}
  }
}
