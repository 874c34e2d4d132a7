// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// Timers in real time. No test sleeps: tests wait on a door for what must happen, and compare times that
/// were read.
struct TimerTests {
  /// Runs what is due on the timer thread.
  private final class Inline: TimedScheduler {
    func enqueue(_ work: any ScheduledWork) { performAsCurrent { work.run() } }
  }

  private let scheduler = Inline()

  @Test(
    "E7: timers do not fire early, and fire in the order of their times, equal times in the order of arming")
  func order() {
    // In milliseconds. Armed in an order of their own.
    let times = [25, 20, 30, 20, 25, 20]
    var fired: [Int]
    var wasArmedInTime: Bool
    repeat {
      (fired, wasArmedInTime) = firedInOrder(times)
      // Otherwise this thread was held up, and the order says nothing: some were already due when armed.
    } while !wasArmedInTime
    #expect(fired == [1, 3, 5, 0, 4, 2])
  }

  /// The indices of the times in the order in which the timers fired, and whether all were armed before the
  /// first was due.
  private func firedInOrder(_ times: [Int]) -> ([Int], Bool) {
    let (fired, done) = (Box<[Int]>([]), Door())
    let start = scheduler.clock.now
    for (number, time) in times.enumerated() {
      let due = start.advanced(by: .milliseconds(time))
      scheduler.schedule(at: due) {
        #expect(self.scheduler.clock.now >= due)
        fired.value.append(number)
        if fired.value.count == times.count { done.open() }
      }
    }
    let isInTime = scheduler.clock.now < start.advanced(by: .milliseconds(times.min() ?? 0))
    done.pass()
    return (fired.value, isInTime)
  }

  @Test("a timer that is due before all armed ones wakes the timer thread")
  func earlier() {
    let (resources, fired) = (Resources(), Door())
    let late = scheduler.schedule(after: .seconds(3_600)) { [token = resources.make()] in _ = token }
    scheduler.schedule(after: .milliseconds(1)) { fired.open() }
    fired.pass()
    #expect(resources.alive == 1 && !late.isDisposed)
    late.dispose()
    #expect(resources.alive == 0)
  }

  @Test("a cancelled timer does not fire, and is still disposed when its time has come")
  func stillCancelled() {
    var isInTime: Bool
    repeat {
      let (seen, over, runs) = (Door(), Door(), Counter())
      let start = scheduler.clock.now
      let due = start.advanced(by: .milliseconds(10))
      let cancelled = scheduler.schedule(at: due) { runs.add() }
      // When this one has fired, the thread knows of both.
      scheduler.schedule(at: start.advanced(by: .milliseconds(1))) { seen.open() }
      seen.pass()
      cancelled.dispose()
      // Otherwise this thread was held up, and the timer has fired before.
      isInTime = scheduler.clock.now < due
      scheduler.schedule(at: due.advanced(by: .milliseconds(1))) { over.open() }
      over.pass()
      #expect(cancelled.isDisposed && (runs.value == 0 || !isInTime))
    } while !isInTime
  }

  @Test(
    "a cancelled timer does not retain its scheduler: the threads of a pool that nothing else retains end")
  func released() {
    do {
      let pool = WorkerPool(threads: 1, name: "cancelled")
      pool.schedule(after: .seconds(3_600)) {}.dispose()
    }
    waitUntil { threadCount(named: "cancelled") == 0 }
  }

  @Test("abandon() is not called on the timer thread for delayed work of a scheduler that was shut down")
  func abandonedElsewhere() async {
    let (pool, told, places) = (WorkerPool(threads: 1), Counter(), Box<[Bool]>([]))
    await pool.shutdown(within: .zero)
    pool.enqueue(
      Told {
        places.value.append(Timers.shared.isCurrent)
        told.add()
      }, at: pool.clock.now.advanced(by: .milliseconds(1)), tolerance: .zero)
    // A task calls `abandon()`: this one must not occupy the thread that it needs.
    while told.value == 0 { await Task.yield() }
    #expect(places.value == [false])
  }

  private final class Told: ScheduledWork {
    private let abandoned: @Sendable () -> Void
    init(_ abandoned: @escaping @Sendable () -> Void) { self.abandoned = abandoned }
    func run() {}
    func abandon() { abandoned() }
  }

  @Test("the first timer of a process may be for an instant further back than a duration can say")
  func longAgo() async {
    await #expect(processExitsWith: .success) {
      let ran = Box(false)
      let instant = ContinuousClock.now.advanced(by: Duration(attoseconds: .min))
      Inline().schedule(at: instant) { ran.value = true }
      #expect(ran.value)
    }
  }

  @Test("work that is scheduled for a past instant runs at once")
  func past() {
    let ran = Box(0)
    scheduler.schedule(after: .seconds(-1)) { ran.value += 1 }
    scheduler.schedule(after: .zero) { ran.value += 1 }
    #expect(ran.value == 2)
  }

  @Test(
    "E7 I5: a repeated action is never early, even after a long round, and its scheduler is the current one"
  )
  func repeated() {
    typealias Instant = ContinuousClock.Instant
    let (rounds, done) = (Box<[(start: Instant, end: Instant)]>([]), Door())
    let start = scheduler.clock.now
    let own = Box<(any Disposable)?>(nil)
    own.value = scheduler.schedule(every: .milliseconds(2)) {
      #expect(Schedulers.current === self.scheduler)
      // One more may be in progress when the action is disposed.
      if rounds.value.count == 20 { return }
      let begun = self.scheduler.clock.now
      // Some rounds last until three more have been missed.
      if rounds.value.count % 5 == 2 { while begun.duration(to: .now) < .milliseconds(7) {} }
      rounds.value.append((begun, self.scheduler.clock.now))
      if rounds.value.count == 20 { done.open() }
    }
    done.pass()
    own.value?.dispose()
    for (number, round) in rounds.value.enumerated() {
      #expect(start.duration(to: round.start) >= .milliseconds(2) * (number + 1))
    }
    // Missed rounds are not made up for: the next one is due after a round has ended, and another one later.
    for (round, nextButOne) in zip(rounds.value, rounds.value.dropFirst(2)) {
      #expect(round.end.duration(to: nextButOne.start) >= .milliseconds(2))
    }
  }

  @Test("a hundred thousand armed timers release their closures when they are cancelled one by one")
  func many() {
    let resources = Resources()
    for _ in 0..<3 {
      let timers = (0..<100_000).map { number in
        scheduler.schedule(after: .seconds(3_600 + number % 60)) { [token = resources.make()] in _ = token }
      }
      #expect(resources.alive == 100_000)
      for timer in timers { timer.dispose() }
      #expect(resources.alive == 0)
    }
  }

  /// Shows whether a timer is still armed: the timer thread retains it as long.
  private struct Armed {
    weak var disposable: (any Disposable)?
    init(_ disposable: any Disposable) { self.disposable = disposable }
  }

  /// Waits until the timer thread has seen all that was armed before. A timer that is due as it is armed says
  /// nothing about that: the thread that arms it fires it.
  private static func waitForThread() {
    let (scheduler, isThere, seen) = (Inline(), Box(false), Door())
    repeat {
      scheduler.schedule(after: .milliseconds(1)) {
        isThere.value = Timers.shared.isCurrent
        seen.open()
      }
      seen.pass()
    } while !isThere.value
  }

  @Test("cancelled timers do not accumulate, however late they would have been due")
  func purged() {
    var timers: [Armed] = []
    for _ in 0..<40 {
      timers += (0..<10_000).map { _ in Armed(scheduler.schedule(after: .seconds(3_600)) {}) }
      for timer in timers { timer.disposable?.dispose() }
      // The timer thread may be behind, on a busy machine.
      Self.waitForThread()
      timers.removeAll { $0.disposable == nil }
    }
    #expect(timers.count < 100_000)
  }

  @Test("cancelled timers do not accumulate while rounds that are always due run on the timer thread")
  func purgedBesideRounds() async {
    // Timers of other tests would be counted, too.
    await #expect(processExitsWith: .success) {
      let (scheduler, count) = (Inline(), 20_000)
      /// The thread counts its timers at the end of each pass: the count of the first pass is there when it
      /// is in the second.
      func passTwice() { for _ in 0..<2 { Self.waitForThread() } }
      let rounds = SerialScheduler(on: .immediate).schedule(every: .nanoseconds(1)) {}
      var timers = (0..<count).map { _ in scheduler.schedule(after: .seconds(3_600)) {} }
      let places = timers.map { Armed($0) }
      passTwice()
      for timer in timers { timer.dispose() }
      timers = []
      passTwice()
      // Up to half of the timers that there were may remain although cancelled.
      #expect(places.count { $0.disposable != nil } <= count / 2 + 10)
      rounds.dispose()
    }
  }

  @Test("timers that fire leave no more cancelled ones behind than there may be")
  func purgedByFiring() async {
    // Timers of other tests would be counted, too.
    await #expect(processExitsWith: .success) {
      let (scheduler, fired) = (Inline(), Door())
      let long = (0..<20_000).map { _ in scheduler.schedule(after: .seconds(3_600)) {} }
      let places = long.map { Armed($0) }
      for _ in 0..<41_000 { scheduler.schedule(after: .milliseconds(500)) {} }
      scheduler.schedule(after: .milliseconds(600)) { fired.open() }
      Self.waitForThread()
      // Fewer than half of all: none has to be dropped yet.
      for timer in consume long { timer.dispose() }
      fired.pass()
      for _ in 0..<2 { Self.waitForThread() }
      #expect(places.count { $0.disposable != nil } <= 1_100)
    }
  }

  @Test("the timer thread waits for a minute at most, as its clock continues while the machine sleeps")
  func longestWait() {
    #expect(TimerTime.wait(until: 5, from: 7) == 0)
    #expect(TimerTime.wait(until: 1_000_000_007, from: 7) == 1_000_000_000)
    #expect(TimerTime.wait(until: .max, from: 7) == 60_000_000_000)
  }

  @Test("a timer with a tolerance gets the roundest time within it")
  func coalesced() {
    #expect(TimerTime.coalesced(1_000, within: 0) == 1_000)
    #expect(TimerTime.coalesced(1_000, within: 100) == 1_024)
    #expect(TimerTime.coalesced(900, within: 400) == 1_024)
    #expect(TimerTime.coalesced(1_024, within: 500) == 1_024)
    #expect(TimerTime.coalesced(UInt64.max - 1, within: .max) == UInt64.max - 1)
    for time in UInt64(1)...200 {
      for tolerance in UInt64(0)...40 {
        #expect((time...time + tolerance).contains(TimerTime.coalesced(time, within: tolerance)))
      }
    }
  }

  @Test("durations are rounded to nanoseconds: too long ones become the maximum, negative ones zero")
  func durations() {
    #expect(Duration.seconds(Int64.max).nanosecondsRoundedDown == .max)
    #expect(Duration.seconds(-1).nanosecondsRoundedUp == 0)
    #expect((Duration.zero - .nanoseconds(1) / 2).nanosecondsRoundedUp == 0)
    #expect(Duration(attoseconds: .max).nanosecondsRoundedUp == .max)
    #expect(Duration(secondsComponent: 1, attosecondsComponent: 1).nanosecondsRoundedUp == 1_000_000_001)
    #expect(Duration(secondsComponent: 1, attosecondsComponent: 1).nanosecondsRoundedDown == 1_000_000_000)
  }
}
