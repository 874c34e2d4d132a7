// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// Schedulers as executors of Swift, and executors as schedulers.
struct ExecutorTests {
  actor Ledger {
    nonisolated let executor: SchedulerSerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var entries: [Int] = []

    init(_ scheduler: some Scheduler) { executor = SchedulerSerialExecutor(serial: scheduler) }

    func note(_ entry: Int) { entries.append(entry) }
    func noteHere(_ entry: Int, on scheduler: some Scheduler) -> Bool {
      note(entry)
      return scheduler.isCurrent
    }
  }

  @globalActor actor Clerk {
    static let shared = Clerk()
    nonisolated let executor = SchedulerSerialExecutor(SerialScheduler())
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  }

  /// Where a task waits, and on which thread it continues.
  final class Pause: @unchecked Sendable {  // used by the task, and by others while that waits
    private var continuation: UnsafeContinuation<Void, Never>?
    private let (begun, thread) = (Counter(), Counter())

    func wait() async {
      await withUnsafeContinuation {
        continuation = $0
        begun.add()
      }
      thread.add(Int(weir_thread()))
    }

    /// Resumes the task on a thread of its own, which stays until the task has continued. True if it
    /// continued on that thread.
    func end() async -> Bool {
      await withUnsafeContinuation { done in
        SystemThread.start(named: "resumes") { [self] in
          while begun.value == 0 { weir_yield() }
          continuation?.resume()
          while thread.value == 0 { weir_yield() }
          done.resume(returning: thread.value == Int(weir_thread()))
        }
      }
    }
  }

  @Test("an actor on a serial scheduler runs there, serially with the scheduler's other work")
  func actorOnScheduler() async {
    let scheduler = SerialScheduler()
    let ledger = Ledger(scheduler)
    await withTaskGroup { group in
      for entry in 0..<100 {
        group.addTask { await ledger.note(entry) }
        // Isolated, so no `await`; on a scheduler that is not, this would trap.
        scheduler.schedule { ledger.assumeIsolated { $0.note(entry) } }
      }
    }
    #expect(await ledger.noteHere(100, on: scheduler))
    #expect(await ledger.entries.sorted() == (0..<100).flatMap { [$0, $0] } + [100])
  }

  @Test("an actor whose scheduler was shut down still runs, with another one as the current scheduler")
  func actorGoesOn() async {
    let scheduler = SerialScheduler()
    let ledger = Ledger(scheduler)
    await ledger.note(1)
    _ = await scheduler.shutdown(within: .seconds(60))
    await ledger.note(2)
    #expect(await !ledger.noteHere(3, on: scheduler))
    #expect(await ledger.entries == [1, 2, 3])
  }

  @Test("contract 2: with the shared pool shut down a task still resumes, but not on the resuming thread")
  func taskWithoutPool() async {
    await #expect(processExitsWith: .success) {
      await WorkerPool.shared.shutdown(within: .zero)
      let executor = SchedulerTaskExecutor(.pool)
      // A task that is resumed before it was suspended continues where it is: hence many tries.
      var timesInside = 0
      for _ in 0..<100 {
        let pause = Pause()
        let task = Task(executorPreference: executor) { await pause.wait() }
        if await pause.end() { timesInside += 1 }
        await task.value
      }
      #expect(timesInside == 0)
    }
  }

  @Test(
    "contract 2: with the shared pool shut down an actor still runs, but not on the thread that makes its task"
  )
  func actorWithoutPool() async {
    await #expect(processExitsWith: .success) {
      await WorkerPool.shared.shutdown(within: .zero)
      let isInside = await withUnsafeContinuation { done in
        SystemThread.start(named: "makes tasks") {
          let thread = Counter()
          Task { @Clerk in thread.add(Int(weir_thread())) }
          // This thread stays, so that no other one is taken for it.
          while thread.value == 0 { weir_yield() }
          done.resume(returning: thread.value == Int(weir_thread()))
        }
      }
      #expect(!isInside)
    }
  }

  @Test(
    "contract 5: with the shared pool shut down 100,000 tasks that each await the one before need no deep stack"
  )
  func chainWithoutPool() async {
    await #expect(processExitsWith: .success) {
      await WorkerPool.shared.shutdown(within: .zero)
      let (executor, pause) = (SchedulerTaskExecutor(.pool), Pause())
      var last = Task(executorPreference: executor) { await pause.wait() }
      for _ in 0..<100_000 {
        let before = last
        last = Task(executorPreference: executor) { await before.value }
      }
      #expect(await !pause.end())
      await last.value
    }
  }

  @Test("tasks that prefer a scheduler run there, also after a suspension")
  func taskOnScheduler() async {
    let pool = WorkerPool(threads: 1, name: "tasks")
    let places = await withTaskExecutorPreference(SchedulerTaskExecutor(pool)) {
      let before = currentScheduler() === pool
      await Task.yield()
      return [before, currentScheduler() === pool]
    }
    #expect(places == [true, true])
    _ = await pool.shutdown(within: .seconds(60))
  }

  @Test("work on an ExecutorScheduler runs with it as the current scheduler")
  func executorAsScheduler() async {
    let scheduler = ExecutorScheduler()
    let isCurrent = await withCheckedContinuation { done in
      scheduler.schedule { done.resume(returning: scheduler.isCurrent) }
    }
    #expect(isCurrent)
  }

  @Test("I8: a serial scheduler on an ExecutorScheduler runs work in order, one piece at a time")
  func serialOverTasks() {
    let below = Backwards()
    let scheduler = SerialScheduler(on: ExecutorScheduler(SchedulerTaskExecutor(below)))
    let (numbers, isRunning) = (Box<[Int]>([]), Box(false))
    for number in 0..<1_000 {
      scheduler.schedule {
        #expect(!isRunning.value)
        isRunning.value = true
        numbers.value.append(number)
        // As if another thread had time for a task now.
        if number % 100 == 0 { below.runAll() }
        isRunning.value = false
      }
    }
    below.runAll()
    #expect(numbers.value.elementsEqual(0..<1_000))
  }

  /// Runs what was enqueued last first, when the test says so.
  private final class Backwards: Scheduler, @unchecked Sendable {  // used by one thread
    private var waiting: [any ScheduledWork] = []
    func enqueue(_ work: any ScheduledWork) { waiting.append(work) }
    func runAll() { while let work = waiting.popLast() { performAsCurrent { work.run() } } }
  }

  @Test("work of a scheduler that is isolated to an actor may use the actor's state")
  func isolated() async {
    let ledger = Ledger(SerialScheduler())
    let scheduler = SerialScheduler(isolatedTo: ledger)
    for number in 0..<10 { scheduler.schedule { ledger.assumeIsolated { $0.note(number) } } }
    await withCheckedContinuation { done in scheduler.schedule { done.resume() } }
    #expect(await ledger.entries == Array(0..<10))
  }

  @Test("real clock: a timer on an ExecutorScheduler does not fire early")
  func timer() async {
    let scheduler = ExecutorScheduler()
    let due = scheduler.clock.now.advanced(by: .milliseconds(2))
    let isLate = await withCheckedContinuation { done in
      scheduler.schedule(at: due) { done.resume(returning: scheduler.clock.now >= due) }
    }
    #expect(isLate)
  }

  /// Asked outside of async code, where the answer would not say much.
  private func currentScheduler() -> (any Scheduler)? { Schedulers.current }
}
