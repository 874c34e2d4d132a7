// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing
import Weir
import WeirTesting

extension Stress {
  @Suite struct HopStress {
    init() { perturb() }

    static var count: Int { weir_is_thread_sanitized() || weir_atomics_are_hooked() ? 50_000 : 100_000 }

    @Test(
      "observe(on:) between two threads delivers each value once and in order",
      arguments: [Backlog<HopFailure>.unbounded, .bounded(1_000_000, onOverflow: .trap)])
    func values(backlog: Backlog<HopFailure>) {
      let blocksBefore = blocksAlive()
      for _ in 0..<scale {
        let resources = Resources()
        let run = HopRun(waiting: backlog)
        withWorker { worker in
          run.subscribe(on: worker)
          let token = resources.make()
          for value in 0..<Self.count {
            run.subject.send((value, value % 64 == 0 ? resources.make() : token))
          }
          run.subject.complete()
          run.ended.wait()
        }
        run.expect { $0 == Array(0..<Self.count) }
        #expect(run.completions.value == 1 && resources.alive == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "observe(on:) a parking or spinning pool, or a serial scheduler on it, delivers each value once and in order",
      arguments: [IdlePolicy.parking, .spinning], [true, false])
    func pool(idling: IdlePolicy, isSerial: Bool) {
      for _ in 0..<scale {
        let resources = Resources()
        let pool = WorkerPool(threads: 2, idling: idling)
        let run = HopRun(waiting: .unbounded)
        if isSerial { run.subscribe(on: SerialScheduler(on: pool)) } else { run.subscribe(on: pool) }
        let token = resources.make()
        for value in 0..<Self.count { run.subject.send((value, token)) }
        run.subject.complete()
        run.ended.wait()
        run.expect { $0 == Array(0..<Self.count) }
        #expect(run.completions.value == 1)
      }
    }

    @Test(
      "values sent before a pool is shut down are delivered, also if the hops have just found their queues empty",
      arguments: [IdlePolicy.parking, .spinning], [true, false])
    func shutdown(idling: IdlePolicy, isSerial: Bool) async {
      for round in 0..<roundCount(1_000) {
        let pool = WorkerPool(threads: 2, idling: idling)
        let (subject, seen, ended) = (Subject<Int, Never>(), Counter(), Counter())
        for _ in 0..<2 {
          let hop = isSerial ? subject.observe(on: SerialScheduler(on: pool)) : subject.observe(on: pool)
          hop.subscribe(next: { _ in seen.add() }, completed: { ended.add() })
        }
        let count = round % 40
        for value in 0..<count {
          subject.send(value)
          // So that the hops are done at times, and look for more.
          for _ in 0..<(round * 31 + value * 17) % 400 { weir_pause() }
        }
        subject.complete()
        let report = await pool.shutdown(within: .seconds(3_600))
        #expect(report.isComplete && seen.value == 2 * count && ended.value == 2)
      }
    }

    @Test(
      "a bounded queue delivers the values that it does not drop, in order, and the completion",
      arguments: [1, 3, 64, 1_000], [true, false])
    func dropping(bound: Int, dropsOldest: Bool) {
      let blocksBefore = blocksAlive()
      for _ in 0..<scale {
        let resources = Resources()
        let drops = DropCounter()
        let run = HopRun(
          waiting: .bounded(bound, onOverflow: dropsOldest ? .dropOldest : .dropNewest, countingIn: drops))
        withWorker { worker in
          run.subscribe(on: worker)
          for value in 0..<Self.count / 4 { run.subject.send((value, resources.make())) }
          run.subject.complete()
          run.ended.wait()
        }
        run.expect { values in
          zip(values, values.dropFirst()).allSatisfy(<) && values.count + drops.count == Self.count / 4
        }
        if dropsOldest { run.expect { $0.last == Self.count / 4 - 1 } } else { run.expect { $0.first == 0 } }
        #expect(run.completions.value == 1 && resources.alive == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "a queue that fails on overflow delivers a prefix of the values, then a failure unless all have come",
      arguments: [1, 64, 5_000])
    func failing(bound: Int) {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(20) {
        let resources = Resources()
        let run = HopRun(waiting: .bounded(bound, onOverflow: .fail(HopFailure())))
        withWorker { worker in
          run.subscribe(on: worker)
          for value in 0..<20_000 { run.subject.send((value, resources.make())) }
          round % 2 == 0 ? run.subject.complete() : run.subject.fail(HopFailure())
          run.ended.wait()
        }
        // The source's own completion, or failure, comes behind the last value.
        let isCompleted = run.completions.value == 1
        run.expect { $0 == Array(0..<$0.count) && isCompleted == (round % 2 == 0 && $0.count == 20_000) }
        #expect(run.completions.value + run.failures.value == 1 && resources.alive == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "disposal by a third thread during delivery releases everything",
      arguments: [Backlog<HopFailure>.unbounded, .bounded(2, onOverflow: .dropOldest)])
    func disposed(backlog: Backlog<HopFailure>) {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      withWorker { worker in
        for round in 0..<roundCount(300) {
          let run = HopRun(waiting: backlog)
          let subscription = run.subscribe(on: worker)
          withThreads(2) { index in
            if index == 0 {
              for value in 0..<500 { run.subject.send((value, resources.make())) }
              if round % 3 == 0 { run.subject.complete() }
            } else {
              for _ in 0..<(round % 50) * 20 { weir_pause() }
              run.grammar.dispose(subscription)
            }
          }
          run.expect { values in zip(values, values.dropFirst()).allSatisfy(<) }
        }
      }
      #expect(resources.alive == 0)
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "a scheduler stopped during delivery ends the subscription without a terminal event and releases everything"
    )
    func abandoned() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(200) {
        let resources = Resources()
        let run = HopRun(waiting: .unbounded)
        let worker = Worker()
        let subscription = run.subscribe(on: worker)
        withThreads(3) { index in
          switch index {
          case 0: for value in 0..<500 { run.subject.send((value, resources.make())) }
          case 1: worker.work()
          default:
            for _ in 0..<(round % 50) * 20 { weir_pause() }
            worker.stop()
          }
        }
        run.subject.send((501, resources.make()))
        #expect(subscription.isDisposed && resources.alive == 0)
        #expect(run.completions.value + run.failures.value == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "I10: a .whenNeeded hop fed on its scheduler and from another thread delivers all values, in sender order"
    )
    func whenNeeded() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(20) {
        let resources = Resources()
        let run = HopRun(waiting: .unbounded, .whenNeeded)
        withWorker { worker in
          run.subscribe(on: worker)
          let done = Latch(2)
          worker.scheduleRecursive { again in
            let value = run.inside.add()
            if value == 2_000 { return done.open() }
            run.subject.send((1_000_000 + value, resources.make()))
            again()
          }
          for value in 0..<5_000 { run.subject.send((value, resources.make())) }
          done.open()
          done.wait()
          run.subject.complete()
          run.ended.wait()
        }
        run.expect { $0.filter { $0 < 1_000_000 } == Array(0..<5_000) }
        run.expect { $0.filter { $0 >= 1_000_000 } == Array(1_000_000..<1_002_000) }
        #expect(run.completions.value == 1 && resources.alive == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "an .atOnce failure during a drain comes once, after a prefix of the values, and everything is released"
    )
    func atOnce() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(200) {
        let resources = Resources()
        let run = HopRun(waiting: .unbounded, failures: .atOnce)
        withWorker { worker in
          run.subscribe(on: worker)
          for value in 0..<300 { run.subject.send((value, resources.make())) }
          run.subject.fail(HopFailure())
          run.ended.wait()
        }
        run.expect { $0 == Array(0..<$0.count) }
        #expect(run.failures.value == 1 && resources.alive == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    // If a value stayed in the queue, this would wait for ever.
    @Test("a drain whose queue runs empty leaves no value behind")
    func runsDry() {
      withWorker { worker in
        let subject = Subject<Latch?, Never>()
        subject.observe(on: worker, waiting: .unbounded).subscribe { $0?.open() }
        for round in 0..<roundCount(4_000) {
          for _ in 0..<(round % 3 == 0 ? round % 7 : 1_000 + round * 7_919 % 1_500) { subject.send(nil) }
          for _ in 0..<round % 50 { weir_pause() }
          let last = Latch(1)
          subject.send(last)
          last.wait()
        }
      }
    }

    @Test("disposal concurrent with subscribing(on:) cleans up every run that began and releases everything")
    func subscribing() {
      let (resources, cleanups, begun) = (Resources(), Counter(), Counter())
      withWorker { worker in
        for round in 0..<roundCount(2_000) {
          let subscription = Signal<Int, Never>.create { [token = resources.make()] observer in
            begun.add()
            observer.send(1)
            return ActionDisposable {
              _ = token
              cleanups.add()
            }
          }.subscribing(on: worker).subscribe { [token = resources.make()] _ in _ = token }
          for _ in 0..<round % 100 { weir_pause() }
          subscription.dispose()
        }
      }
      #expect(resources.alive == 0 && begun.value == cleanups.value)
    }
  }
}

struct HopFailure: Error {}

/// One observed run of a subject, whose values are numbered.
private final class HopRun: @unchecked Sendable {
  // Unchecked: `values` is written in serial delivery, and read after the end.
  typealias Value = (Int, Resources.Resource)
  let subject = Subject<Value, HopFailure>()
  let (completions, failures, inside) = (Counter(), Counter(), Counter())
  let ended = Latch(1)
  private var values: [Int] = []
  private let backlog: Backlog<HopFailure>
  private let policy: HopPolicy
  private let timing: FailureTiming
  private(set) lazy var grammar = Grammar<Value, HopFailure>(
    next: { [unowned self] in values.append($0.0) },
    terminated: { [unowned self] in
      if case .completed = $0 { completions.add() } else { failures.add() }
      ended.open()
    })

  init(
    waiting backlog: Backlog<HopFailure>, _ policy: HopPolicy = .always, failures: FailureTiming = .inOrder
  ) {
    self.backlog = backlog
    self.policy = policy
    timing = failures
  }

  @discardableResult
  func subscribe(on worker: some Scheduler) -> Subscription {
    grammar.subscribe(to: subject.observe(on: worker, policy, waiting: backlog, failures: timing))
  }

  func expect(sourceLocation: SourceLocation = #_sourceLocation, _ condition: ([Int]) -> Bool) {
    #expect(grammar.violations == 0, sourceLocation: sourceLocation)
    let holds = condition(values)
    #expect(holds, sourceLocation: sourceLocation)
  }
}

/// A serial scheduler whose thread is the caller of `work`. ThreadSanitizer knows the mutex of the system,
/// not that of the standard library.
private final class Worker: Scheduler, @unchecked Sendable {  // the variables by the mutex
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var waiting: [any ScheduledWork] = []
  private var isStopped = false

  init() { pthread_mutex_init(mutex, nil) }
  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  func enqueue(_ work: any ScheduledWork) {
    let isStopped = locked {
      if !self.isStopped { waiting.append(work) }
      return self.isStopped
    }
    if isStopped { work.abandon() }
  }

  /// Runs what is scheduled until it is stopped, and abandons the rest.
  func work() {
    while true {
      let (next, isStopped) = locked { (waiting.isEmpty ? nil : waiting.removeFirst(), self.isStopped) }
      if let next {
        performAsCurrent { isStopped ? next.abandon() : next.run() }
      } else if isStopped {
        return
      } else {
        weir_yield()
      }
    }
  }

  func stop() { locked { isStopped = true } }
}

/// Runs `body` while another thread works, and waits for both.
private func withWorker(_ body: @escaping @Sendable (Worker) -> Void) {
  let worker = Worker()
  withThreads(2) { index in
    if index == 0 { return worker.work() }
    body(worker)
    worker.stop()
  }
}
