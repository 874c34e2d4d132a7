// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// What a serial scheduler and a pool do with work that lingers.
struct LingeringSchedulerTests {
  @Test("a scheduler says whether it lingers, also if its type is not known")
  func asking() {
    let lingering: [any Scheduler] = [WorkerPool.shared, SerialScheduler(), IdleScheduler(looks: 0)]
    for scheduler in lingering { #expect(scheduler.lingering === scheduler) }
    let others: [any Scheduler] = [.immediate, .trampoline, VirtualScheduler()]
    for scheduler in others { #expect(scheduler.lingering == nil) }
  }

  @Test("a serial scheduler lingers like the scheduler below, unless work is queued on itself")
  func serial() {
    let below = IdleScheduler(looks: 2)
    let scheduler = SerialScheduler(on: below)
    let (answers, order) = (Box<[Bool]>([]), Box<[Int]>([]))
    scheduler.schedule { [unowned scheduler] in
      answers.value.append(scheduler.linger { false })
      answers.value.append(scheduler.linger { true })
    }
    scheduler.schedule { [unowned scheduler] in
      scheduler.schedule { order.value.append(0) }
      answers.value.append(scheduler.linger { false })
    }
    below.runAll()
    // Work was queued, twice; then work was scheduled.
    #expect(answers.value == [false, false, false] && below.answers == [] && order.value == [0])
    scheduler.schedule { [unowned scheduler] in answers.value.append(scheduler.linger { below.looks == 2 }) }
    below.runAll()
    scheduler.schedule { [unowned scheduler] in answers.value.append(scheduler.linger { false }) }
    below.runAll()
    #expect(answers.value.suffix(2) == [true, false] && below.answers == [true, false])
    // Now work comes while it lingers.
    below.onLook = { [unowned scheduler] _ in scheduler.schedule { order.value.append(1) } }
    scheduler.schedule { [unowned scheduler] in answers.value.append(scheduler.linger { false }) }
    below.runAll()
    #expect(answers.value.last == false && below.answers.last == true && order.value == [0, 1])
  }

  @Test("after linger returned false, work of the scheduler below runs before that of the serial scheduler")
  func handedOver() {
    let below = IdleScheduler(looks: 1)
    let scheduler = SerialScheduler(on: below)
    let order = Box<[String]>([])
    for round in 0..<2 {
      scheduler.schedule { [unowned scheduler] in
        if round == 0 { _ = scheduler.linger { false } }
        below.schedule { order.value.append("below \(round)") }
        scheduler.schedule { order.value.append("here \(round)") }
      }
      below.runAll()
    }
    #expect(order.value == ["below 0", "here 0", "here 1", "below 1"])
  }

  @Test("a serial scheduler does not linger on a scheduler that cannot")
  func plain() {
    let below = QueuedScheduler()
    let scheduler = SerialScheduler(on: below)
    let answers = Box<[Bool]>([])
    scheduler.schedule { [unowned scheduler] in answers.value.append(scheduler.linger { false }) }
    below.runAll()
    #expect(answers.value == [false])
  }

  @Test("a lingering worker is counted as searching", arguments: [IdlePolicy.parking, .spinning])
  func counted(idling: IdlePolicy) {
    let (pool, done) = (WorkerPool(threads: 1, idling: idling), Door())
    let seen = Box<[Int]>([])
    let count: @Sendable () -> Void = { [unowned pool] in
      seen.value += [pool.core.crew.searching, pool.core.crew.busy]
    }
    pool.schedule { [unowned pool] in
      count()
      _ = pool.linger {
        count()
        return seen.value.count == 6
      }
      count()
      done.open()
    }
    done.pass()
    #expect(seen.value == [0, 1, 0, 1, 1, 0, 0, 1])
  }

  @Test(
    "linger looks as often as its policy says, and not again once work was scheduled",
    arguments: [IdlePolicy.parking, .spinning])
  func looks(idling: IdlePolicy) {
    let (pool, done, looks, answers) = (
      WorkerPool(threads: 1, idling: idling), Door(), Counter(), Box<[Bool]>([])
    )
    pool.schedule { [unowned pool] in
      answers.value.append(
        pool.linger {
          looks.add()
          return false
        })
      answers.value.append(
        pool.linger {
          if looks.add() == idling.lingering.looks + 2 { pool.schedule { done.open() } }
          return false
        })
    }
    done.pass()
    // Once before anything else.
    #expect(answers.value == [false, false] && looks.value == idling.lingering.looks + 1 + 2)
  }

  @Test(
    "half of the workers of a parking pool may linger, all of a spinning one, none of one that is closing",
    arguments: [IdlePolicy.parking, .spinning])
  func half(idling: IdlePolicy) {
    var crew = Crew(bits: 0)
    crew.busy = 4
    let mayLinger = (0..<4).map { _ in crew.linger(idling) }
    #expect(mayLinger == (idling == .parking ? [true, true, false, false] : [true, true, true, true]))
    crew.phase = .closing
    let mayLingerStill = crew.linger(.spinning)
    #expect(!mayLingerStill)
  }

  @Test("a worker whose linger succeeds calls another one for work that was scheduled meanwhile")
  func calls() {
    let (pool, done, other) = (WorkerPool(threads: 2), Door(), Door())
    waitUntil { pool.core.crew.sleeping == 2 }
    pool.schedule { [unowned pool] in
      waitUntil { pool.core.crew.sleeping == 1 }
      let hasFound = Self.linger(on: pool, forLooks: 2) { look in
        // Not at the first look, which comes before the worker is counted as one that searches.
        if look == 2 { pool.schedule { other.open() } }
        return look == 2
      }
      // No other worker would come for it.
      other.pass()
      if hasFound { done.open() }
    }
    done.pass()
  }

  @Test(
    "linger returns false when work is queued, unless that was scheduled by the look that succeeds",
    arguments: [true, false])
  func fair(isSerial: Bool) {
    let (pool, done) = (WorkerPool(threads: 1), Door())
    let scheduler: any LingeringScheduler = isSerial ? SerialScheduler(on: pool) : pool
    let answers = Box<[Bool]>([])
    scheduler.schedule {
      answers.value.append(scheduler.linger { true })
      // Also if work is scheduled while there is something to do: it looks at that first.
      answers.value.append(
        scheduler.linger {
          scheduler.schedule { done.open() }
          return true
        })
      answers.value.append(scheduler.linger { true })
    }
    done.pass()
    #expect(answers.value == [true, true, false])
  }

  @Test("a serial scheduler that was shut down does not linger")
  func closed() async {
    let (begun, ended, done) = (Door(), Door(), Door())
    let scheduler = SerialScheduler(on: WorkerPool(threads: 1))
    let answers = Box<[Bool]>([])
    scheduler.schedule { [unowned scheduler] in
      begun.open()
      ended.pass()
      answers.value.append(scheduler.linger { true })
      done.open()
    }
    begun.pass()
    await scheduler.shutdown(within: .zero)
    ended.open()
    done.pass()
    #expect(answers.value == [false])
  }

  @Test(
    "another worker is called when two pieces of work are scheduled during linger and one waits for the other",
    arguments: [IdlePolicy.parking, .spinning])
  func two(idling: IdlePolicy) {
    let (pool, done, second) = (WorkerPool(threads: 2, idling: idling), Door(), Door())
    waitUntil { pool.core.crew.sleeping == 2 }
    let work = LastWork { [unowned pool] in
      waitUntil { pool.core.crew.sleeping == 1 }
      let hasFound = Self.linger(on: pool, forLooks: 2) { look in
        if look == 2 {
          pool.schedule {
            second.pass()
            done.open()
          }
          pool.schedule { second.open() }
        }
        return false
      }
      #expect(!hasFound)
    } released: {
    }
    pool.enqueue(work)
    done.pass()
    // The test retains it, too, so that the worker need not call another one before it releases it.
    withExtendedLifetime(work) {}
  }

  @Test(
    "another worker is called for work scheduled during linger if the lingering work is slow to be released",
    arguments: [true, false], [IdlePolicy.parking, .spinning])
  func released(isSerial: Bool, idling: IdlePolicy) {
    let (pool, done, other) = (WorkerPool(threads: 2, idling: idling), Door(), Door())
    let scheduler: any LingeringScheduler = isSerial ? SerialScheduler(on: pool) : pool
    waitUntil { pool.core.crew.sleeping == 2 }
    scheduler.enqueue(
      LastWork { [unowned pool, unowned scheduler] in
        waitUntil { pool.core.crew.sleeping == 1 }
        _ = Self.linger(on: scheduler, forLooks: 3) { look in
          if look == 3 { pool.schedule { other.open() } }
          return false
        }
      } released: {
        other.pass()
        done.open()
      })
    done.pass()
  }

  /// Reports when it is deallocated.
  private final class LastWork: ScheduledWork {
    private let action: @Sendable () -> Void
    private let released: @Sendable () -> Void
    init(_ action: @escaping @Sendable () -> Void, released: @escaping @Sendable () -> Void) {
      self.action = action
      self.released = released
    }
    deinit { released() }
    func run() { action() }
    func abandon() {}
  }

  @Test(
    "wakeWorkers() calls another worker for work that was scheduled during a linger that returned false",
    arguments: [true, false])
  func goesOn(isSerial: Bool) {
    let (pool, done, other) = (WorkerPool(threads: 2), Door(), Door())
    let scheduler: any LingeringScheduler = isSerial ? SerialScheduler(on: pool) : pool
    waitUntil { pool.core.crew.sleeping == 2 }
    scheduler.schedule {
      waitUntil { pool.core.crew.sleeping == 1 }
      let hasFound = Self.linger(on: scheduler, forLooks: 3) { look in
        if look == 3 { pool.schedule { other.open() } }
        return false
      }
      scheduler.wakeWorkers()
      // No other worker would come for it.
      other.pass()
      if !hasFound { done.open() }
    }
    done.pass()
  }

  /// Lingers for so many looks at least: repeats if another worker that was about to sleep got up once more.
  private static func linger(
    on scheduler: any LingeringScheduler, forLooks count: Int, until isDone: (_ look: Int) -> Bool
  ) -> Bool {
    while true {
      var looks = 0
      let hasFound = scheduler.linger {
        looks += 1
        return isDone(looks)
      }
      if looks >= count { return hasFound }
    }
  }
}
