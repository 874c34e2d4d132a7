// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// Work that continues later on a scheduler that is being shut down: it is not new work.
struct LiningUpTests {
  private let ages = Duration.seconds(3_600)

  /// Opens `free`, which unblocks the work, when the scheduler refuses new work.
  private func shutdown(
    _ scheduler: some Scheduler, _ free: Door, _ shutdown: @escaping @Sendable () async -> ShutdownReport,
    whenRefused: () -> Void = {}
  ) async -> ShutdownReport {
    let report = Task { await shutdown() }
    var isRefused: Bool
    repeat {
      await Task.yield()
      let probe = scheduler.schedule {}
      isRefused = probe.isDisposed
      probe.dispose()
    } while !isRefused
    whenRefused()
    free.open()
    return await report.value
  }

  /// A pool of one thread, which is blocked until the door is opened.
  private func busyPool() -> (pool: WorkerPool, free: Door) {
    let (pool, begun, free) = (WorkerPool(threads: 1), Door(), Door())
    pool.schedule {
      begun.open()
      free.pass()
    }
    begun.pass()
    return (pool, free)
  }

  @Test("values sent to a hop on a pool are delivered during its shutdown, even if that takes several rounds")
  func hopOnPool() async {
    let (pool, free) = busyPool()
    let (subject, seen, ended) = (Subject<Int, Never>(), Counter(), Counter())
    subject.observe(on: pool).subscribe(next: { _ in seen.add() }, completed: { ended.add() })
    for value in 0..<5_000 { subject.send(value) }
    subject.complete()
    let report = await shutdown(pool, free) { await pool.shutdown(within: ages) }
    #expect(report == ShutdownReport(notRun: 0, stillRunning: 0))
    #expect(seen.value == 5_000 && ended.value == 1)
  }

  @Test(
    "values sent to a hop on a serial scheduler are delivered while that, or its pool, is shut down",
    arguments: [true, false])
  func hopOnSerial(isOwn: Bool) async {
    let (pool, free) = busyPool()
    let serial = SerialScheduler(on: pool)
    let (subject, seen, ended) = (Subject<Int, Never>(), Counter(), Counter())
    subject.observe(on: serial).subscribe(next: { _ in seen.add() }, completed: { ended.add() })
    for value in 0..<5_000 { subject.send(value) }
    subject.complete()
    let report =
      isOwn
      ? await shutdown(serial, free) { await serial.shutdown(within: ages) }
      : await shutdown(pool, free) { await pool.shutdown(within: ages) }
    #expect(report == ShutdownReport(notRun: 0, stillRunning: 0))
    #expect(seen.value == 5_000 && ended.value == 1)
  }

  @Test("a serial scheduler runs queued work, in portions, while its pool is shut down")
  func portions() async {
    let (pool, free) = busyPool()
    let (serial, runs) = (SerialScheduler(on: pool), Counter())
    for _ in 0..<1_000 { serial.schedule { runs.add() } }
    let report = await shutdown(pool, free) { await pool.shutdown(within: ages) }
    #expect(report.isComplete && runs.value == 1_000)
  }

  @Test(
    "recursive work completes its rounds while its scheduler, or the pool below, is shut down",
    arguments: Shut.allCases)
  func rounds(shut: Shut) async {
    let (pool, free) = busyPool()
    let (serial, runs) = (SerialScheduler(on: pool), Counter())
    let round: @Sendable (Recursion) -> Void = { again in if runs.add() < 999 { again() } }
    if shut == .pool { pool.scheduleRecursive(round) } else { serial.scheduleRecursive(round) }
    let report =
      shut == .serial
      ? await shutdown(serial, free) { await serial.shutdown(within: ages) }
      : await shutdown(pool, free) { await pool.shutdown(within: ages) }
    #expect(report == ShutdownReport(notRun: 0, stillRunning: 0))
    #expect(runs.value == 1_000)
  }

  /// What is shut down.
  enum Shut: CaseIterable { case pool, serial, poolBelow }

  @Test("recursive rounds that are left at the deadline are abandoned as one piece of work")
  func roundsAtDeadline() async {
    let (pool, begun, free) = (WorkerPool(threads: 1), Door(), Door())
    let resources = Resources()
    let work = pool.scheduleRecursive { [token = resources.make()] again in
      _ = token
      again()
    }
    // Between two rounds.
    pool.schedule {
      begun.open()
      free.pass()
    }
    begun.pass()
    let report = await pool.shutdown(within: .zero)
    #expect(report == ShutdownReport(notRun: 1, stillRunning: 1))
    #expect(work.isDisposed && resources.alive == 0)
    free.open()
  }

  @Test("an actor on an idle serial scheduler still runs there while its pool is shut down")
  func actorOnIdle() async {
    let (pool, free) = busyPool()
    let serial = SerialScheduler(on: pool)
    let ledger = Clerk(serial)
    let answer = Box<Task<Bool, Never>?>(nil)
    let report = await shutdown(pool, free) {
      await pool.shutdown(within: ages)
    } whenRefused: {
      // When this returns, the task has made its job, and waits for that.
      answer.value = Task.immediate { await ledger.isOn(serial) }
    }
    #expect(await answer.value?.value == true)
    #expect(report == ShutdownReport(notRun: 0, stillRunning: 0))
  }

  private actor Clerk {
    nonisolated let executor: SchedulerSerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    init(_ scheduler: some Scheduler) { executor = SchedulerSerialExecutor(serial: scheduler) }
    func isOn(_ scheduler: some Scheduler) -> Bool { scheduler.isCurrent }
  }

  @Test(
    "a value that comes just after a hop looked in vain is delivered although its pool is shut down meanwhile",
    arguments: [true, false])
  func lookedInVain(isSerial: Bool) async {
    let (pool, begun, free) = (WorkerPool(threads: 1), Door(), Door())
    let below: any Scheduler = isSerial ? SerialScheduler(on: pool) : pool
    let (subject, values) = (Subject<Int, Never>(), Box<[Int]>([]))
    let scheduler = Interrupting(on: below) { [weak subject] in
      if values.value != [0] { return }
      begun.open()
      free.pass()
      subject?.send(1)
    }
    subject.observe(on: scheduler).subscribe { values.value.append($0) }
    subject.send(0)
    begun.pass()
    let report = await shutdown(pool, free) { await pool.shutdown(within: ages) }
    #expect(report.isComplete && values.value == [0, 1])
  }

  /// Lets no work linger, and calls a closure when work asks for it: when that has found nothing to do, and
  /// before it leaves.
  private final class Interrupting: LingeringScheduler {
    private let below: any Scheduler
    private let interrupt: @Sendable () -> Void

    init(on below: any Scheduler, _ interrupt: @escaping @Sendable () -> Void) {
      (self.below, self.interrupt) = (below, interrupt)
    }

    func linger(until isDone: () -> Bool) -> Bool {
      interrupt()
      return false
    }
    func wakeWorkers() {}
    func enqueue(_ work: any ScheduledWork) { below.enqueue(work) }
    func lineUp(_ work: any ScheduledWork) { below.lineUp(work) }
  }

  // In a process of its own: among other tests a task waits for its turn, and until then a core is kept busy.
  @Test("work that lines up again and again is abandoned at the deadline")
  func deadline() async {
    await #expect(processExitsWith: .success) {
      for isSerial in [true, false] {
        let pool = WorkerPool(threads: 1)
        let serial = SerialScheduler(on: pool)
        let work = isSerial ? Endless(on: serial) : Endless(on: pool)
        isSerial ? serial.enqueue(work) : pool.enqueue(work)
        while work.rounds.value < 10 { await Task.yield() }
        let report = isSerial ? await serial.shutdown(within: .zero) : await pool.shutdown(within: .zero)
        #expect(!report.isComplete)
        while work.abandoned.value == 0 { await Task.yield() }
        #expect(work.abandoned.value == 1)
      }
    }
  }

  private final class Endless: ScheduledWork {
    let rounds = Counter()
    let abandoned = Counter()
    private let lineUp: @Sendable (Endless) -> Void
    init(on scheduler: some Scheduler) { lineUp = { [unowned scheduler] in scheduler.lineUp($0) } }
    func run() {
      rounds.add()
      lineUp(self)
    }
    func abandon() { abandoned.add() }
  }
}
