// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir
@testable import WeirTesting

/// Stepping through virtual time.
struct VirtualSchedulerTests {
  private let scheduler = VirtualScheduler()
  private let log = Box<[Int]>([])

  /// Schedules an action that logs its number, at so many seconds.
  @discardableResult
  private func schedule(_ number: Int, at seconds: Int? = nil) -> any Disposable {
    let action: @Sendable () -> Void = { [log] in log.value.append(number) }
    guard let seconds else { return scheduler.schedule(action) }
    return scheduler.schedule(at: .init(.seconds(seconds)), action)
  }

  @Test("I11: stepping with nothing to do does nothing")
  func empty() {
    #expect(!scheduler.step())
    scheduler.step(5)
    scheduler.run()
    #expect(scheduler.clock.now.elapsed == .zero && scheduler.nextInstant == nil)
  }

  @Test("a negative number of steps traps with a clear message")
  func negative() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      VirtualScheduler().step(-1)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("weir: VirtualScheduler.step(-1): the count must not be negative"))
  }

  @Test("I11: nothing runs before a step; step runs one piece of work, step(n) several, run all")
  func steps() {
    for number in 1...6 { schedule(number) }
    #expect(log.value == [])
    #expect(scheduler.step())
    #expect(log.value == [1])
    scheduler.step(2)
    #expect(log.value == [1, 2, 3])
    scheduler.run()
    #expect(log.value == [1, 2, 3, 4, 5, 6])
  }

  @Test("step(n) returns how many pieces of work it ran, and stops when there are no more")
  func counts() {
    for number in 1...5 { schedule(number) }
    #expect([2, 0, 9, 9].map { scheduler.step($0) } == [2, 0, 3, 0])
    #expect(log.value == [1, 2, 3, 4, 5])
  }

  @Test(
    "I11: dated work runs in the order of its dates, by step, step(n) or run, and the clock shows the date")
  func dates() {
    for second in [40, 10, 30, 20, 60, 50] { schedule(second, at: second) }
    scheduler.step()
    #expect(log.value == [10] && scheduler.clock.now.elapsed == .seconds(10))
    scheduler.step(2)
    #expect(log.value == [10, 20, 30] && scheduler.clock.now.elapsed == .seconds(30))
    scheduler.run()
    #expect(log.value == [10, 20, 30, 40, 50, 60])
  }

  @Test(
    "I11: undated and past work runs before future work, and work of one instant in the order of scheduling"
  )
  func order() {
    schedule(3, at: 1)
    schedule(4, at: 1)
    schedule(1)
    schedule(2, at: -5)
    scheduler.run()
    #expect(log.value == [1, 2, 3, 4])
    #expect(scheduler.clock.now.elapsed == .seconds(1))
  }

  @Test("I11: undated work waits for work that is due at the instant that the clock shows")
  func atOneInstant() {
    scheduler.schedule(at: .init(.seconds(1))) { schedule(2) }
    schedule(1, at: 1)
    schedule(3, at: 2)
    scheduler.run()
    #expect(log.value == [1, 2, 3])
  }

  @Test("I11: undated work that is disposed is released at once, and its step runs nothing")
  func undatedTakenBack() {
    let resources = Resources()
    let early = scheduler.schedule { [token = resources.make()] in _ = token }
    schedule(2)
    early.dispose()
    #expect(resources.alive == 0 && scheduler.waitingCount == 2)
    #expect(scheduler.step() && log.value.isEmpty)
    #expect(scheduler.step() && log.value == [2])
  }

  @Test("I11: work with a date that is disposed before it begins takes no step, and is released at once")
  func takenBack() {
    let resources = Resources()
    let early = scheduler.schedule(after: .seconds(1)) { [token = resources.make()] in _ = token }
    schedule(2, at: 2)
    #expect(!early.isDisposed && scheduler.waitingCount == 2)
    early.dispose()
    #expect(early.isDisposed && resources.alive == 0 && scheduler.waitingCount == 1)
    scheduler.step()
    #expect(log.value == [2])
  }

  @Test("I11: a scheduler that is deallocated runs nothing, and abandons the work that is left")
  func goes() {
    final class Work: ScheduledWork {
      let (runs, abandonments) = (Counter(), Counter())
      func run() { runs.add() }
      func abandon() { abandonments.add() }
    }
    let (work, resources) = (Work(), Resources())
    var scheduler: VirtualScheduler? = VirtualScheduler()
    scheduler?.enqueue(work)
    scheduler?.enqueue(work, at: .init(.seconds(1)), tolerance: .zero)
    let left = scheduler?.schedule { [token = resources.make()] in _ = token }
    scheduler = nil
    #expect(work.runs.value == 0 && work.abandonments.value == 2)
    #expect(left?.isDisposed == true && resources.alive == 0)
  }

  @Test(
    "advance(to:) runs all work up to and including an instant; the clock then shows it, and never goes back"
  )
  func absolute() {
    for second in 1...4 { schedule(second, at: second) }
    scheduler.advance(to: .init(.seconds(2)))
    #expect(log.value == [1, 2])
    scheduler.advance(by: .milliseconds(999))
    #expect(log.value == [1, 2] && scheduler.clock.now.elapsed == .milliseconds(2999))
    #expect(scheduler.nextInstant?.elapsed == .seconds(3))
    scheduler.advance(to: .init(.seconds(1)))
    #expect(scheduler.clock.now.elapsed == .milliseconds(2999))
    scheduler.advance(to: .init(.seconds(9)))
    #expect(log.value == [1, 2, 3, 4] && scheduler.clock.now.elapsed == .seconds(9))
  }

  @Test(
    "at the last instant undated and past work runs, and work that would be due later does not, so rounds end"
  )
  func lastInstant() {
    let last = VirtualClock.Instant(Duration(attoseconds: .max))
    scheduler.schedule(at: last) { [log] in log.value.append(1) }
    scheduler.advance(to: last)
    #expect(log.value == [1] && scheduler.clock.now == last)
    let (rounds, own) = (Counter(), Box<(any Disposable)?>(nil))
    own.value = scheduler.schedule(every: .seconds(1)) { if rounds.add() == 9 { own.value?.dispose() } }
    schedule(2)
    // That instant has passed.
    schedule(3, at: 5)
    scheduler.advance(by: .seconds(1))
    #expect(rounds.value == 0 && scheduler.waitingCount == 1 && scheduler.nextInstant == nil)
    #expect(log.value == [1, 2, 3] && !scheduler.step())
    own.value?.dispose()
    #expect(scheduler.waitingCount == 0)
  }

  @Test("I11 I6: a step runs work with the scheduler as the current one, also nested in other work")
  func current() {
    scheduler.schedule {
      #expect(scheduler.isCurrent)
      scheduler.schedule { #expect(scheduler.isCurrent) }
      scheduler.step()
      log.value.append(1)
    }
    scheduler.run()
    #expect(log.value == [1] && Schedulers.current == nil)
  }

  @Test("a hundred thousand entries, every other one disposed, run in the order of their dates")
  func many() {
    let count = manyRounds
    let disposables = (0..<count).map { number in
      schedule(number, at: number * 7919 % count)
    }
    for number in stride(from: 0, to: count, by: 2) { disposables[number].dispose() }
    #expect(scheduler.waitingCount == count / 2)
    scheduler.run()
    let isOrdered = log.value.map { $0 * 7919 % count } == log.value.map { $0 * 7919 % count }.sorted()
    #expect(isOrdered && log.value.count == count / 2)
  }

  @Test("threads schedule and dispose work while one steps: nothing is lost, nothing runs twice")
  func threads() {
    let (ran, left) = (Counter(), Counter())
    withThreads(4) { [scheduler] index in
      guard index > 0 else {
        while left.value < 3 || scheduler.waitingCount > 0 { scheduler.step() }
        return
      }
      for round in 0..<500 {
        let work = scheduler.schedule(after: .seconds(round % 7)) { ran.add() }
        if round % 2 == 0 { scheduler.schedule { ran.add() } } else if !work.isDisposed { work.dispose() }
      }
      left.add()
    }
    #expect(ran.value >= 1500 && ran.value <= 2250)
    #expect(!scheduler.step())
  }

  @Test("a scheduler that is deallocated abandons its work in the order in which it would have run")
  func abandoned() {
    final class Work: ScheduledWork {
      private let number: Int
      private let log: Box<[Int]>
      init(_ number: Int, _ log: Box<[Int]>) { (self.number, self.log) = (number, log) }
      func run() {}
      func abandon() { log.value.append(number) }
    }
    do {
      let scheduler = VirtualScheduler()
      for (number, seconds) in [(3, 5), (1, 2), (4, 5), (2, 2)] {
        scheduler.enqueue(Work(number, log), at: .init(.seconds(seconds)), tolerance: .zero)
      }
      scheduler.enqueue(Work(0, log))
    }
    #expect(log.value == [0, 1, 2, 3, 4])
  }

  @Test("two threads that step at once trap with a clear message, also after a step inside another one")
  func twoSteppers() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scheduler = VirtualScheduler()
      scheduler.schedule {
        scheduler.step()
        withThreads(1) { _ in scheduler.step() }
      }
      for _ in 0..<2 { scheduler.schedule {} }
      scheduler.run()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("two threads step a VirtualScheduler at the same time"))
  }

  @Test("time does not move past work that another thread adds while a scheduler advances")
  func lateWork() {
    let agenda = Agenda()
    #expect(agenda.move(to: .init(.seconds(4))))
    agenda.insert(ScheduledClosure {}, at: .init(.seconds(5)))
    #expect(!agenda.move(to: .init(.seconds(5))) && agenda.now == .init(.seconds(4)))
    #expect(agenda.move(to: .init(.seconds(4))))
  }
}
