// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Actions at points in time, and repeated ones.
struct RepetitionTests {
  @Test("AC49 I11: repeated actions interleave by their times")
  func interleaved() {
    let (scheduler, times) = (VirtualScheduler(), Box<[Duration]>([]))
    for (first, interval) in [(20, 5), (22, 10)] {
      scheduler.schedule(every: .seconds(interval), after: .seconds(first)) {
        times.value.append(scheduler.clock.now.elapsed)
      }
    }
    for _ in 0..<5 { scheduler.step() }
    #expect(times.value == [20, 22, 25, 30, 32].map { .seconds($0) })
  }

  @Test(
    "an interval that is no whole number of nanoseconds is kept to, however late a round is",
    arguments: [Duration.seconds(1) / 60, .nanoseconds(3) / 2])
  func fractions(interval: Duration) {
    let (scheduler, rounds) = (VirtualScheduler(), Box(0))
    let work = scheduler.schedule(every: interval) {
      rounds.value += 1
      if rounds.value == 1 { scheduler.advance(by: interval * 600_000_000) }
    }
    scheduler.step()
    #expect(scheduler.nextInstant?.elapsed == interval * 600_000_002)
    work.dispose()
  }

  @Test("I5: a repeated action has its scheduler as the current one")
  func current() {
    let (scheduler, rounds) = (VirtualScheduler(), Box(0))
    let work = scheduler.schedule(every: .seconds(1)) {
      #expect(Schedulers.current === scheduler)
      rounds.value += 1
    }
    scheduler.advance(by: .seconds(3))
    #expect(rounds.value == 3)
    work.dispose()
  }

  @Test("disposal ends it, also from inside a round, and releases the closure")
  func disposed() {
    let (scheduler, resources, rounds) = (VirtualScheduler(), Resources(), Box(0))
    let own = Box<(any Disposable)?>(nil)
    own.value = scheduler.schedule(every: .seconds(1)) { [token = resources.make()] in
      _ = token
      rounds.value += 1
      if rounds.value == 2 { own.value?.dispose() }
    }
    scheduler.advance(by: .seconds(9))
    #expect(rounds.value == 2 && resources.alive == 0)
    #expect(!scheduler.step())
  }

  @Test("a round that took longer than the interval is followed by the next that is still to come")
  func overrun() {
    let (scheduler, times) = (VirtualScheduler(), Box<[Duration]>([]))
    let work = scheduler.schedule(every: .seconds(10)) {
      times.value.append(scheduler.clock.now.elapsed)
      if times.value.count == 1 { scheduler.advance(by: .seconds(25)) }
    }
    scheduler.advance(to: .init(.seconds(60)))
    #expect(times.value == [10, 40, 50, 60].map { .seconds($0) })
    work.dispose()
  }
}
