// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Testing
import WeirTesting

@testable import Weir

/// Shutting a pool or a serial scheduler down. Nothing here depends on how long something takes: work is
/// blocked at doors.
struct ShutdownTests {
  private let ages = Duration.seconds(3_600)
  private let runs = Counter()
  private let abandoned = Counter()

  private final class Piece: ScheduledWork {
    private let test: ShutdownTests
    private let action: @Sendable () -> Void
    init(_ test: ShutdownTests, _ action: @escaping @Sendable () -> Void) {
      self.test = test
      self.action = action
    }
    func run() {
      action()
      test.runs.add()
    }
    func abandon() { test.abandoned.add() }
  }

  private func piece(_ action: @escaping @Sendable () -> Void = {}) -> Piece { Piece(self, action) }

  /// A pool of one thread, which is blocked by a piece of work until the door is opened.
  private func busyPool() -> (pool: WorkerPool, free: Door) {
    let (pool, begun, free) = (WorkerPool(threads: 1), Door(), Door())
    pool.enqueue(
      piece {
        begun.open()
        free.pass()
      })
    begun.pass()
    return (pool, free)
  }

  @Test(
    "a pool that is shut down runs queued work, reports nothing left, abandons new work, and its threads end",
    arguments: [IdlePolicy.parking, .spinning])
  func pool(idling: IdlePolicy) async {
    let name = "end-\(idling)"
    let pool = WorkerPool(threads: 2, idling: idling, name: name)
    for _ in 0..<1_000 { pool.enqueue(piece()) }
    #expect(await pool.shutdown(within: ages) == ShutdownReport(notRun: 0, stillRunning: 0))
    #expect(runs.value == 1_000 && abandoned.value == 0)
    pool.enqueue(piece())
    #expect(runs.value == 1_000 && abandoned.value == 1)
    waitUntil { threadCount(named: name) == 0 }
  }

  @Test("a pool that is being shut down abandons new work at once, while queued work is yet to run")
  func refusing() async {
    let (pool, free) = busyPool()
    pool.enqueue(piece())
    pool.core.close(pool)
    pool.enqueue(piece())
    #expect(abandoned.value == 1)
    free.open()
    #expect(await pool.shutdown(within: ages).isComplete && runs.value == 2)
  }

  @Test("a serial scheduler that is shut down runs queued work, reports nothing left, and abandons new work")
  func serial() async {
    let scheduler = SerialScheduler()
    for _ in 0..<1_000 { scheduler.enqueue(piece()) }
    let report = await scheduler.shutdown(within: ages)
    #expect(report.isComplete && runs.value == 1_000 && abandoned.value == 0)
    scheduler.enqueue(piece())
    #expect(runs.value == 1_000 && abandoned.value == 1)
  }

  @Test("idle pools and serial schedulers shut down at once, even if the scheduler below never runs anything")
  func idle() async {
    #expect(await WorkerPool(threads: 3).shutdown(within: ages).isComplete)
    #expect(await WorkerPool(threads: 3, idling: .spinning).shutdown(within: ages).isComplete)
    #expect(await SerialScheduler(on: QueuedScheduler()).shutdown(within: ages).isComplete)
  }

  @Test(
    "with work that never returns, the report comes at the deadline: queued work is abandoned, running work counted"
  )
  func stuckPool() async {
    let (pool, begun, free, done) = (WorkerPool(threads: 2), Door(), Door(), Door())
    for _ in 0..<2 {
      pool.enqueue(
        piece {
          begun.open()
          free.pass()
          done.open()
        })
    }
    for _ in 0..<2 { begun.pass() }
    for _ in 0..<5 { pool.enqueue(piece()) }
    let report = await pool.shutdown(within: .milliseconds(1))
    #expect(report == ShutdownReport(notRun: 5, stillRunning: 2))
    #expect(!report.isComplete && runs.value == 0 && abandoned.value == 5)
    for _ in 0..<2 { free.open() }
    for _ in 0..<2 { done.pass() }
    #expect(await pool.shutdown(within: ages) == report)
  }

  @Test("a serial scheduler with work that never returns also abandons the work that it had already taken")
  func stuckSerial() async {
    let (scheduler, begun, free, done) = (SerialScheduler(), Door(), Door(), Door())
    scheduler.enqueue(piece { begun.pass() })
    scheduler.enqueue(
      piece {
        begun.open()
        free.pass()
        done.open()
      })
    for _ in 0..<5 { scheduler.enqueue(piece()) }
    begun.open()
    waitUntil { runs.value == 1 }
    begun.pass()
    for _ in 0..<3 { scheduler.enqueue(piece()) }
    let report = await scheduler.shutdown(within: .milliseconds(1))
    #expect(report == ShutdownReport(notRun: 8, stillRunning: 1))
    #expect(runs.value == 1 && abandoned.value == 8)
    free.open()
    done.pass()
    #expect(await scheduler.shutdown(within: ages) == report)
    #expect(abandoned.value == 8)
  }

  @Test("a deadline expires on a thread of its own: not on one of tasks, which may all be blocked")
  func expiring() async {
    let (pool, free) = busyPool()
    let thread = Box("")
    pool.enqueue(SlowPiece { thread.value = String(cString: test_thread_name()) })
    #expect(await pool.shutdown(within: .milliseconds(1)) == ShutdownReport(notRun: 1, stillRunning: 1))
    #expect(thread.value == "weir-deadline")
    free.open()
  }

  @Test("no work begins while abandon() is being called, and all abandoned work is counted")
  func slowToAbandon() async {
    let (pool, free) = busyPool()
    // By then the worker would look for the next piece.
    pool.enqueue(
      SlowPiece {
        free.open()
        waitUntil { pool.core.crew.busy == 0 }
      })
    for _ in 0..<200 { pool.enqueue(piece()) }
    #expect(await pool.shutdown(within: .zero) == ShutdownReport(notRun: 201, stillRunning: 1))
    #expect(runs.value == 1 && abandoned.value == 200)
  }

  @Test("a serial scheduler also counts abandoned work that it had not taken yet")
  func slowToAbandonSerial() async {
    let (pool, hold, begun, free, done) = (WorkerPool(threads: 1), Door(), Door(), Door(), Door())
    let scheduler = SerialScheduler(on: pool)
    // The work that is enqueued while this one runs is taken together.
    scheduler.enqueue(piece { hold.pass() })
    scheduler.enqueue(
      piece {
        begun.open()
        free.pass()
        done.open()
      })
    scheduler.enqueue(
      SlowPiece {
        free.open()
        // The holder of the turn gets to the end of its portion.
        done.pass()
        waitUntil { pool.core.crew.busy == 0 }
      })
    hold.open()
    begun.pass()
    for _ in 0..<200 { scheduler.enqueue(piece()) }
    #expect(await scheduler.shutdown(within: .zero) == ShutdownReport(notRun: 201, stillRunning: 1))
    #expect(abandoned.value == 200)
  }

  @Test("a worker that has seen work does not begin it once the report was made")
  func seenTooLate() async {
    // Without threads: the test does what the one worker would do.
    let core = PoolCore(workers: 1, idling: .parking)
    core.queue.push(piece())
    core.change { $0.phase = .closing }
    guard case .work = core.look(as: core.idling.search) else {
      Issue.record("it has not seen the work")
      return
    }
    core.expire()
    // This one came too late to be refused.
    core.queue.push(piece())
    let wasLast = core.change { $0.begin() }
    #expect(wasLast == nil && core.crew.atWork == 0)
    core.abandonIfCounted()
    let report = await core.settlement.report(within: ages) {}
    #expect(report == ShutdownReport(notRun: 1, stillRunning: 0))
    #expect(runs.value == 0 && abandoned.value == 2)
  }

  @Test("a pool shut down just after its only worker looked in vain runs the work that was queued before")
  func seenInTime() {
    // Without threads: the test does what the one worker would do.
    let core = PoolCore(workers: 1, idling: .parking)
    let phase = core.crew.phase
    guard case .nothing = core.look(as: core.idling.search) else {
      Issue.record("it has seen work")
      return
    }
    core.queue.push(piece())
    core.change { $0.phase = .closing }
    let idling = core.change { $0.giveUp(after: phase) }
    #expect(idling == .search && core.crew.phase == .closing)
    let wasLast = core.change { $0.begin() }
    core.queue.pop()?.run()
    #expect(wasLast == true && runs.value == 1)
    // The same when the worker has just run something.
    core.queue.push(piece())
    let finished = core.change { $0.finish(.parking) }
    #expect(finished == .search && core.crew.phase == .closing)
    core.queue.pop()?.run()
    let ended = core.change { $0.giveUp(after: .closing) }
    #expect(ended == .endShutdown && runs.value == 2 && abandoned.value == 0)
  }

  /// Does something when it is abandoned.
  private final class SlowPiece: ScheduledWork {
    private let action: @Sendable () -> Void
    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    func run() {}
    func abandon() { action() }
  }

  @Test(
    "a lingering piece of work is counted as still running", arguments: [IdlePolicy.parking, .spinning])
  func lingering(idling: IdlePolicy) async {
    let (pool, begun, free) = (WorkerPool(threads: 1, idling: idling), Door(), Door())
    pool.enqueue(
      piece { [unowned pool] in
        var looks = 0
        _ = pool.linger {
          looks += 1
          if looks == 2 {
            begun.open()
            free.pass()
          }
          return looks == 2
        }
      })
    begun.pass()
    #expect(await pool.shutdown(within: .zero) == ShutdownReport(notRun: 0, stillRunning: 1))
    free.open()
  }

  @Test("a deadline that has already passed abandons all queued work")
  func atOnce() async {
    let queued = QueuedScheduler()
    let scheduler = SerialScheduler(on: queued)
    for _ in 0..<7 { scheduler.enqueue(piece()) }
    #expect(await scheduler.shutdown(within: .zero) == ShutdownReport(notRun: 7, stillRunning: 0))
    #expect(abandoned.value == 7)
    queued.runAll()
    #expect(runs.value == 0)
  }

  @Test("contract 7: a shutdown that is over retains nothing until its deadline")
  func deadlineForgotten() async {
    weak var gone: SerialScheduler?
    do {
      let scheduler = SerialScheduler(on: QueuedScheduler())
      gone = scheduler
      #expect(await scheduler.shutdown(within: ages).isComplete)
    }
    #expect(gone == nil)
  }

  @Test("concurrent shutdowns end at the earliest deadline, and all return the same report")
  func several() async {
    let (pool, free) = busyPool()
    for _ in 0..<3 { pool.enqueue(piece()) }
    let reports = await withTaskGroup(of: ShutdownReport.self) { [ages] group in
      for limit in [ages, .milliseconds(1), ages, .zero] {
        group.addTask { await pool.shutdown(within: limit) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.count == 4 && reports.allSatisfy { $0 == ShutdownReport(notRun: 3, stillRunning: 1) })
    free.open()
  }

  @Test("after a second shutdown a pool still abandons work that is lined up")
  func twice() async {
    let pool = WorkerPool(threads: 1)
    for count in 1...2 {
      #expect(await pool.shutdown(within: ages) == ShutdownReport(notRun: 0, stillRunning: 0))
      pool.lineUp(piece())
      #expect(abandoned.value == count)
    }
  }

  @Test("work that is running at the shutdown completes, and the work that it schedules is refused")
  func inside() async {
    let scheduler = SerialScheduler()
    let begun = Door()
    scheduler.enqueue(
      piece {
        begun.pass()
        waitUntil {
          let refused = scheduler.schedule {}
          defer { refused.dispose() }
          return refused.isDisposed
        }
      })
    scheduler.enqueue(piece())
    begun.open()
    #expect(await scheduler.shutdown(within: ages).isComplete)
    #expect(runs.value == 2)
  }

  @Test("a serial scheduler on a pool that is shut down abandons queued and new work")
  func below() async {
    let (pool, free) = busyPool()
    let scheduler = SerialScheduler(on: pool)
    for _ in 0..<4 { scheduler.enqueue(piece()) }
    // For the pool the serial scheduler is one piece of work.
    #expect(await pool.shutdown(within: .zero) == ShutdownReport(notRun: 1, stillRunning: 1))
    #expect(abandoned.value == 4)
    scheduler.enqueue(piece())
    #expect(abandoned.value == 5)
    #expect(await scheduler.shutdown(within: ages) == ShutdownReport(notRun: 4, stillRunning: 0))
    free.open()
  }

  @Test("delayed work that is due after the shutdown is abandoned then, and is not counted")
  func timed() async {
    var begun = 0
    repeat {
      // Once more if this thread was held up until the work was due.
      begun = runs.value
      let scheduler = SerialScheduler()
      scheduler.enqueue(piece(), at: .now + .milliseconds(20), tolerance: .zero)
      #expect(await scheduler.shutdown(within: ages).notRun == 0)
      // A task calls `abandon()`: this one must not occupy the thread that it needs.
      while runs.value == begun, abandoned.value == 0 { await Task.yield() }
    } while runs.value > begun
    #expect(abandoned.value == 1)
  }
}
