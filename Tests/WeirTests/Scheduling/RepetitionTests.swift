// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
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
    "an interval that is not a whole number of nanoseconds is kept exactly, however late a round is",
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

  @Test("I5: a repeated action runs with its scheduler as the current one")
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

  @Test(
    "disposal, inside a round or between two, ends the repeated action and releases its closure",
    arguments: [true, false])
  func disposed(inside: Bool) {
    let (scheduler, resources, rounds) = (VirtualScheduler(), Resources(), Box(0))
    let own = Box<(any Disposable)?>(nil)
    own.value = scheduler.schedule(every: .seconds(1)) { [token = resources.make()] in
      _ = token
      rounds.value += 1
      if rounds.value == 2, inside { own.value?.dispose() }
    }
    scheduler.advance(by: .milliseconds(2_500))
    if !inside {
      #expect(resources.alive == 1 && scheduler.waitingCount == 1)
      own.value?.dispose()
    }
    #expect(resources.alive == 0 && scheduler.waitingCount == 0)
    scheduler.advance(by: .seconds(9))
    #expect(rounds.value == 2 && own.value?.isDisposed == true)
  }

  @Test("contract 7: a disposed repeated action does not retain its scheduler")
  func letsGoOfScheduler() {
    weak var gone: VirtualScheduler?
    let work: any Disposable
    do {
      let scheduler = VirtualScheduler()
      gone = scheduler
      work = scheduler.schedule(every: .seconds(1)) {}
      scheduler.advance(by: .seconds(2))
    }
    #expect(gone != nil)
    work.dispose()
    #expect(gone == nil)
  }

  @Test("rounds that are missed during a long round are skipped; the next one keeps to the interval")
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

  @Test("disposal cancels the timer, even if the first round ran inside the scheduling call")
  func disposedAfterInlineRound() {
    let scheduler = PromptScheduler()
    let rounds = Box(0)
    let work = scheduler.schedule(every: .seconds(20), after: .zero) { rounds.value += 1 }
    #expect(rounds.value == 1 && scheduler.waitingCount == 1)
    work.dispose()
    #expect(scheduler.waitingCount == 0)
  }

  @Test(
    "rounds that are due at once do not run inside the scheduling call, even if the scheduler runs work there"
  )
  func inline() {
    // The scheduler abandons work after some thousand rounds, should they run inside the call.
    let scheduler = SerialScheduler(on: WearyScheduler(after: 20))
    let (caller, isInside, third) = (pthread_self(), Counter(), Door())
    let rounds = Box(0)
    let work = scheduler.schedule(every: .nanoseconds(1)) {
      if pthread_equal(pthread_self(), caller) != 0 { isInside.add() }
      rounds.value += 1
      if rounds.value == 3 { third.open() }
    }
    third.pass()
    work.dispose()
    #expect(isInside.value == 0)
  }
}

/// Runs what is due inside `enqueue`, and queues the rest.
private final class PromptScheduler: TimedScheduler {
  private let time = VirtualScheduler()
  var clock: VirtualClock { time.clock }
  var waitingCount: Int { time.waitingCount }

  func enqueue(_ work: any ScheduledWork) { performAsCurrent { work.run() } }

  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    if instant > clock.now { return time.enqueue(work, at: instant, tolerance: tolerance) }
    enqueue(work)
    return ActionDisposable {}
  }
}

/// Runs work inside `enqueue`, up to a limit.
private final class WearyScheduler: Scheduler {
  private let (limit, count): (Int, Counter)
  init(after limit: Int) { (self.limit, count) = (limit, Counter()) }

  func enqueue(_ work: any ScheduledWork) {
    if count.add() > limit { work.abandon() } else { work.run() }
  }
}
