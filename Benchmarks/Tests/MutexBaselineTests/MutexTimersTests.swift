// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import Testing

@Suite("Timers of the mutex baseline")
struct MutexTimersTests {
  private struct Firing: Sendable, Equatable {
    let time: Int
    let isEarly: Bool
  }

  @Test func `timers fire in the order of their times, none early, and not when cancelled`() async {
    let (timers, log) = (MutexTimers(), Log<Firing>())
    let start = ContinuousClock.now
    await withCheckedContinuation { done in
      for time in [9, 3, 6, 30] {
        _ = timers.arm(after: .milliseconds(time)) {
          log.append(Firing(time: time, isEarly: start.duration(to: .now) < .milliseconds(time)))
          if time == 30 { done.resume() }
        }
      }
      timers.arm(after: .milliseconds(12)) { log.append(Firing(time: 12, isEarly: true)) }.cancel()
    }
    #expect(log.entries == [3, 6, 9, 30].map { Firing(time: $0, isEarly: false) })
  }
}
