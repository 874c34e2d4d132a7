// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct WorkerPoolTests {
  @Test(
    "a hundred thousand pieces of work run once each, including those scheduled by other work",
    arguments: [IdlePolicy.parking, .spinning])
  func all(idling: IdlePolicy) {
    let pool = WorkerPool(threads: 4, idling: idling)
    let (runs, done) = (Counter(), Door())
    for _ in 0..<manyRounds / 2 {
      pool.schedule { [unowned pool] in
        pool.schedule { if runs.add() == manyRounds - 1 { done.open() } }
        if runs.add() == manyRounds - 1 { done.open() }
      }
    }
    done.pass()
    #expect(runs.value == manyRounds)
  }

  @Test("a pool of one thread runs work in the order in which it was scheduled")
  func order() {
    let pool = WorkerPool(threads: 1)
    let (log, done) = (Box<[Int]>([]), Door())
    for number in 0..<1_000 { pool.schedule { log.value.append(number) } }
    pool.schedule { done.open() }
    done.pass()
    #expect(log.value == Array(0..<1_000))
  }

  @Test("a blocked worker does not delay other work")
  func blocked() {
    let pool = WorkerPool(threads: 2)
    let (runs, begun, free, done) = (Counter(), Door(), Door(), Door())
    pool.schedule {
      begun.open()
      free.pass()
      done.open()
    }
    begun.pass()
    for _ in 0..<1_000 { pool.schedule { if runs.add() == 999 { done.open() } } }
    done.pass()
    #expect(runs.value == 1_000)
    free.open()
    done.pass()
  }

  @Test(
    "as many pieces run at the same time as there are threads, even if one piece of work scheduled them all"
  )
  func parallel() {
    let pool = WorkerPool(threads: 4)
    let (arrived, together, done) = (Counter(), Door(), Door())
    // One that is still looking for work would find it without being called.
    waitUntil { pool.core.crew.sleeping == 4 }
    pool.schedule { [unowned pool] in
      for _ in 0..<4 {
        pool.schedule {
          // None continues before all four are here.
          if arrived.add() == 3 { for _ in 0..<4 { together.open() } }
          together.pass()
          if arrived.add() == 7 { done.open() }
        }
      }
    }
    done.pass()
    #expect(arrived.value == 8)
  }

  @Test("I6: a pool is the current scheduler inside its work, and not outside")
  func current() {
    let (pool, other, done) = (WorkerPool(threads: 1), WorkerPool(threads: 1), Door())
    pool.schedule { [unowned pool, unowned other] in
      #expect(Schedulers.current === pool && pool.isCurrent && !other.isCurrent)
      done.open()
    }
    done.pass()
    #expect(Schedulers.current == nil && !pool.isCurrent)
    let shared: any Scheduler = .pool
    #expect(shared === WorkerPool.shared && WorkerPool.defaultThreadCount >= 2)
  }

  @Test("I7: work that is disposed before it begins does not run, and is released at once")
  func takenBack() {
    let (pool, resources) = (WorkerPool(threads: 1), Resources())
    let (begun, free, done) = (Door(), Door(), Door())
    pool.schedule {
      begun.open()
      free.pass()
    }
    begun.pass()
    let scheduled = pool.schedule { [token = resources.make()] in
      _ = token
      Issue.record("it was taken back")
    }
    scheduled.dispose()
    #expect(resources.alive == 0)
    free.open()
    pool.schedule { done.open() }
    done.pass()
  }

  @Test(
    "a pool that nothing else retains runs its queued work, and its threads end",
    arguments: [IdlePolicy.parking, .spinning])
  func released(idling: IdlePolicy) {
    let (runs, begun, free) = (Counter(), Door(), Door())
    let name = "rel-\(idling)"
    do {
      let pool = WorkerPool(threads: 3, idling: idling, name: name)
      #expect(threadCount(named: name) <= 3)
      pool.schedule {
        begun.open()
        free.pass()
        // The pool exists while its work runs.
        Schedulers.current?.schedule { runs.add() }
      }
      for _ in 0..<1_000 { pool.schedule { runs.add() } }
      begun.pass()
    }
    free.open()
    waitUntil { threadCount(named: name) == 0 }
    #expect(runs.value == 1_001)
  }

  @Test(
    "a pool that was never used is deallocated, and its threads end",
    arguments: [IdlePolicy.parking, .spinning])
  func unused(idling: IdlePolicy) {
    weak var gone: WorkerPool?
    let name = "un-\(idling)"
    do {
      let pool = WorkerPool(threads: 2, idling: idling, name: name)
      gone = pool
    }
    waitUntil { gone == nil && threadCount(named: name) == 0 }
  }

  @Test("threads of a spinning pool run new work although they have gone to sleep")
  func spinning() {
    let (pool, done) = (WorkerPool(threads: 2, idling: .spinning), Door())
    for _ in 0..<3 {
      waitUntil { pool.core.crew.sleeping == 2 }
      pool.schedule { done.open() }
      done.pass()
    }
    #expect(pool.idling == .spinning && WorkerPool.shared.idling == .parking)
  }

  @Test("I5 I11: timers run on the pool, with it as the current scheduler")
  func timed() {
    let (pool, rounds, done) = (WorkerPool(threads: 2), Counter(), Door())
    let begin = ContinuousClock.now
    pool.schedule(after: .milliseconds(5)) { [unowned pool] in
      #expect(pool.isCurrent && ContinuousClock.now - begin >= .milliseconds(5))
      done.open()
    }
    done.pass()
    let work = pool.schedule(every: .microseconds(100)) { if rounds.add() == 9 { done.open() } }
    done.pass()
    work.dispose()
  }

  @Test("F2 F7 AC41: a hundred thousand recursive rounds run on a pool")
  func recursive() {
    let (pool, rounds, done) = (WorkerPool(threads: 2), Box(0), Door())
    pool.scheduleRecursive { again in
      rounds.value += 1
      if rounds.value < manyRounds { again() } else { done.open() }
    }
    done.pass()
    #expect(rounds.value == manyRounds)
  }

  @Test("a thousand threads that have ended leave no memory behind")
  func threadMemory() async {
    await #expect(processExitsWith: .success) {
      let growth = allocatedGrowth(over: 1_000) {
        let done = Door()
        SystemThread.start(named: "brief") { done.open() }
        done.pass()
      }
      #expect(growth < spareMemory)
    }
  }

  @Test("a thread name that is too long is truncated before its number")
  func names() {
    #expect(WorkerPool.threadName("weir-pool", 12) == "weir-pool-12")
    #expect(WorkerPool.threadName("picture-decoder", 7) == "picture-decod-7")
    // Eighteen bytes, of which thirteen remain: the half of a letter is left out.
    #expect(WorkerPool.threadName("ééééééééé", 1) == "éééééé-1")
    #expect(WorkerPool.threadName("", 1) == "-1")
  }

  @Test("a pool tells its name and how many threads it has")
  func configuration() {
    let pool = WorkerPool(threads: 3, name: "of three")
    #expect(pool.threadCount == 3 && pool.name == "of three")
    #expect(WorkerPool.shared.threadCount == WorkerPool.defaultThreadCount)
  }
}
