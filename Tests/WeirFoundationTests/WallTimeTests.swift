// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Weir
import WeirFoundation
import WeirTesting

/// Waiting for a time of day, where both clocks are controlled by the test.
struct WallTimeTests {
  private let scheduler = VirtualScheduler()
  private let midnight = Date(timeIntervalSinceReferenceDate: 100)
  private let offset = Offset()
  private let ran = Counter()

  private func wait() -> any Disposable {
    scheduler.schedule(
      atWallTime: midnight,
      wallClock: { [scheduler, offset] in
        Date(timeIntervalSinceReferenceDate: scheduler.clock.now.elapsed / .seconds(1) + offset.seconds)
      }, { [ran] in ran.add() })
  }

  /// Passes work on until it is closed, and then abandons it.
  private final class Closing: TimedScheduler, @unchecked Sendable {  // used by one thread
    private let below: VirtualScheduler
    var isClosed = false
    var clock: VirtualClock { below.clock }

    init(_ below: VirtualScheduler) { self.below = below }

    func enqueue(_ work: any ScheduledWork) { if isClosed { work.abandon() } else { below.enqueue(work) } }

    func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
      -> any Disposable
    {
      if !isClosed { return below.enqueue(work, at: instant, tolerance: tolerance) }
      work.abandon()
      return ActionDisposable {}
    }
  }

  @Test("an action whose scheduler abandons the wait, at once or later, counts as disposed and is released")
  func abandoned() {
    for seconds in [0, 5] {
      let (closing, resources) = (Closing(scheduler), Resources())
      closing.isClosed = seconds == 0
      let waiting = closing.schedule(atWallTime: .distantFuture) { [token = resources.make()] in _ = token }
      scheduler.advance(by: .seconds(seconds))
      #expect(waiting.isDisposed == closing.isClosed)
      closing.isClosed = true
      scheduler.advance(by: .seconds(2))
      #expect(waiting.isDisposed && resources.alive == 0)
    }
  }

  @Test("DD-16: an action scheduled at a wall time runs at that time, and once")
  func onTime() {
    _ = wait()
    scheduler.advance(to: .init(.milliseconds(99_999)))
    #expect(ran.value == 0)
    scheduler.advance(to: .init(.seconds(100)))
    #expect(ran.value == 1)
    scheduler.advance(by: .seconds(1_000))
    #expect(ran.value == 1)
  }

  @Test("a wait for a wall time counts as disposed once its action has started")
  func disposed() {
    let waiting = wait()
    scheduler.advance(to: .init(.seconds(99)))
    #expect(!waiting.isDisposed)
    scheduler.advance(to: .init(.seconds(100)))
    #expect(waiting.isDisposed && ran.value == 1)
  }

  @Test(
    "E8 DD-16: a wall clock set forward is noticed within a step, and one set back delays the action"
  )
  func clockSet() {
    _ = wait()
    scheduler.advance(to: .init(.seconds(50)))
    offset.seconds = -20
    scheduler.advance(to: .init(.seconds(110)))
    #expect(ran.value == 0)
    offset.seconds = 30
    scheduler.advance(by: .seconds(1))
    #expect(ran.value == 1)
  }

  @Test("a step of less than a millisecond counts as a millisecond")
  func shortStep() {
    let looks = Counter()
    let waiting = scheduler.schedule(
      atWallTime: midnight, step: .nanoseconds(1),
      wallClock: {
        looks.add()
        return .distantPast
      }, { [ran] in ran.add() })
    scheduler.advance(by: .microseconds(900))
    #expect(looks.value == 1)
    scheduler.advance(by: .microseconds(100))
    #expect(looks.value > 1 && ran.value == 0)
    waiting.dispose()
  }

  @Test("an action cancelled while the wall clock is read does not run")
  func takenBackMeanwhile() {
    let slot = SerialDisposable()
    slot.swap(
      scheduler.schedule(
        atWallTime: midnight, step: .seconds(100),
        wallClock: { [scheduler, midnight] in
          if scheduler.clock.now.elapsed < .seconds(100) { return .distantPast }
          slot.dispose()
          return midnight
        }, { [ran] in ran.add() }))
    scheduler.advance(by: .seconds(200))
    #expect(ran.value == 0)
  }

  @Test("an action waits also for a remaining time that is less than a duration can hold")
  func leastRest() {
    let looks = Counter()
    let date = Date(timeIntervalSinceReferenceDate: 0.0007584132534008581)
    _ = scheduler.schedule(
      atWallTime: date,
      wallClock: { [scheduler] in
        // A wait of no length would read the clock for ever.
        if looks.add() > 1_000 { return .distantFuture }
        return Date(timeIntervalSinceReferenceDate: scheduler.clock.now.elapsed / .seconds(1))
      }, { [ran] in ran.add() })
    scheduler.advance(by: .seconds(10))
    #expect(ran.value == 1 && looks.value < 1_000)
  }

  @Test(
    "an action waits for an infinite date until it is cancelled, runs if the date has passed, and traps for NaN"
  )
  func infinite() async {
    let time = { @Sendable [scheduler] in
      Date(timeIntervalSinceReferenceDate: scheduler.clock.now.elapsed / .seconds(1))
    }
    func wait(for date: Date) -> any Disposable {
      scheduler.schedule(atWallTime: date, wallClock: time, { [ran] in ran.add() })
    }
    let never = wait(for: Date(timeIntervalSinceReferenceDate: .infinity))
    let late = wait(for: .distantFuture)
    scheduler.advance(by: .seconds(100))
    #expect(ran.value == 0 && scheduler.waitingCount == 2)
    never.dispose()
    late.dispose()
    #expect(scheduler.waitingCount == 0)
    for date in [Date(timeIntervalSinceReferenceDate: -.infinity), .distantPast] {
      let before = ran.value
      _ = wait(for: date)
      #expect(ran.value == before)
      #expect(scheduler.step() && !scheduler.step())
      #expect(ran.value == before + 1)
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = VirtualScheduler().schedule(atWallTime: Date(timeIntervalSinceReferenceDate: .nan)) {}
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("weir: schedule(atWallTime:): the date is not a number (NaN)"))
  }

  @Test("a time between two steps is met exactly, and then the disposable is disposed")
  func betweenSteps() {
    let waiting = scheduler.schedule(
      atWallTime: Date(timeIntervalSinceReferenceDate: 2.25),
      wallClock: { [scheduler] in
        Date(timeIntervalSinceReferenceDate: scheduler.clock.now.elapsed / .seconds(1))
      }, { [ran] in ran.add() })
    scheduler.advance(to: .init(.milliseconds(2_249)))
    #expect(ran.value == 0 && !waiting.isDisposed)
    scheduler.advance(to: .init(.milliseconds(2_250)))
    #expect(ran.value == 1 && waiting.isDisposed)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("a cancelled action does not run and leaves nothing scheduled")
  func takenBack() {
    let waiting = wait()
    scheduler.advance(to: .init(.seconds(99)))
    waiting.dispose()
    scheduler.advance(to: .init(.seconds(200)))
    #expect(ran.value == 0)
    #expect(!scheduler.step())
  }

  @Test("a cancelled action does not run, even if its first timer fired before scheduling that returned")
  func takenBackInTime() {
    let (early, offset) = (EarlyScheduler(), self.offset)
    let waiting = early.schedule(
      atWallTime: midnight, wallClock: { Date(timeIntervalSinceReferenceDate: offset.seconds) },
      { [ran] in ran.add() })
    waiting.dispose()
    offset.seconds = 100
    early.virtual.run()
    #expect(ran.value == 0)
  }
}

/// Fires its first timer before scheduling it returns, as a busy thread may see it; the others run in virtual
/// time.
private final class EarlyScheduler: TimedScheduler {
  let virtual = VirtualScheduler()
  private let scheduled = Counter()
  var clock: VirtualClock { virtual.clock }

  func enqueue(_ work: any ScheduledWork) { virtual.enqueue(work) }

  func enqueue(
    _ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration
  ) -> any Disposable {
    scheduled.add()
    guard scheduled.value == 1 else { return virtual.enqueue(work, at: instant, tolerance: tolerance) }
    work.run()
    return ActionDisposable {}
  }
}

/// By how much the wall clock is off.
private final class Offset: @unchecked Sendable {  // used on the test's thread only
  var seconds = 0.0
}
