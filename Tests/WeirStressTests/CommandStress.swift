// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing
import Weir
import WeirTesting

extension Stress {
  @Suite struct CommandStress {
    init() { perturb() }

    @Test("K3 K4 DD-18: of four concurrent executions, exactly one begins in each round")
    func exactlyOne() {
      let rounds = roundCount(10_000)
      let (calls, refused, overlaps) = (Counter(), Counter(), Counter())
      let (arrived, ended) = (Counter(), Counter())
      let work = (0..<rounds).map { _ in Subject<Int, Never>() }
      let command = Command { (round: Int) -> Signal<Int, Never> in
        calls.add()
        return work[round].signal
      }
      withThreads(4) { index in
        for round in 0..<rounds {
          command.execute(round).subscribe(failed: { _ in refused.add() })
          if arrived.add() == 4 * round + 3 {
            // The last thread ends the round, and lets the others into the next.
            if calls.value != round + 1 || !command.isExecuting { overlaps.add() }
            work[round].complete()
            ended.add()
          }
          while ended.value <= round { weir_yield() }
        }
      }
      #expect(calls.value == rounds)
      #expect(refused.value == 3 * rounds)
      #expect(overlaps.value == 0)
      #expect(!command.isExecuting && command.isEnabled)
    }

    @Test(
      "K6: under concurrent changes, executing and enabled repeat no value and end with the final state"
    )
    func lastIsFinal() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(200) {
        let input = Subject<Bool, Never>()
        let command = Command(enabledIf: input, concurrency: .unlimited) { (value: Int) in
          Signal<Int, Never>.just(value)
        }
        let executing = Watched()
        let enabled = Watched()
        executing.grammar.subscribe(to: command.executing)
        enabled.grammar.subscribe(to: command.enabled)
        withThreads(4) { index in
          for number in 0..<50 {
            switch index {
            case 0: input.send(number % 2 == 0)
            case 1: command.concurrency = number % 2 == round % 2 ? .one : .unlimited
            default: command.execute(number)
            }
          }
        }
        #expect(executing.last == 0 && !command.isExecuting)
        #expect(enabled.last == (command.isEnabled ? 1 : 0) && !command.isEnabled)
        #expect(executing.repeated == 0 && enabled.repeated == 0)
        #expect(executing.grammar.violations == 0 && enabled.grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "K8 K9: a command released while executions end on three threads delivers every error and completes all signals"
    )
    func released() {
      struct Broken: Error {}
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(200) {
        let work = (0..<30).map { _ in Subject<Int, Broken>() }
        var command: Command<Int, Int, Broken>? = Command(concurrency: .unlimited) { work[$0].signal }
        let (errors, terminals) = (Counter(), Counter())
        let grammar = Grammar<Broken, Never>(
          next: { _ in errors.add() }, terminated: { _ in terminals.add() })
        let executing = Watched(terminated: { terminals.add() })
        if let command {
          grammar.subscribe(to: command.errors)
          executing.grammar.subscribe(to: command.executing)
          command.enabled.subscribe(completed: { terminals.add() })
          command.executions.subscribe(completed: { terminals.add() })
          for index in work.indices { command.execute(index) }
        }
        let handed = Handed(command)
        command = nil
        withThreads(4) { index in
          if index == 3 { return handed.drop() }
          for number in 0..<10 {
            let subject = work[10 * index + number]
            subject.send(1)
            if number % 2 == 0 { subject.fail(Broken()) } else { subject.complete() }
          }
        }
        #expect(errors.value == 15)
        #expect(terminals.value == 4)
        #expect(executing.last == 0)
        #expect(grammar.violations == 0 && executing.grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "a command on a concurrent scheduler still delivers serially, without loss, and the final state last"
    )
    func concurrentScheduler() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(100) {
        let scheduler = Pool()
        let (begun, values, terminals, done) = (Counter(), Counter(), Counter(), Counter())
        let executing = Watched(terminated: { terminals.add() })
        let grammar = Grammar<Signal<Int, Never>, Never>(
          next: { execution in
            begun.add()
            execution.subscribe { values.add($0) }
          }, terminated: { _ in terminals.add() })
        withThreads(4) { index in
          if index > 1 {
            while done.value < 2 || !scheduler.isEmpty { scheduler.runOne() }
            return
          }
          let command = Command(concurrency: .unlimited, on: scheduler) { (value: Int) in
            Signal<Int, Never>.just(value)
          }
          if index == 0 {
            grammar.subscribe(to: command.executions)
            executing.grammar.subscribe(to: command.executing)
          }
          for _ in 0..<20 { command.execute(1) }
          done.add()
        }
        while !scheduler.isEmpty { scheduler.runOne() }
        #expect(begun.value == 20 && values.value == 20 && terminals.value == 2)
        #expect(executing.last == 0 && executing.repeated == 0)
        #expect(grammar.violations == 0 && executing.grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "K11: subscribers added by three threads while an execution sends and completes receive all its events")
    func lateSubscribers() {
      for _ in 0..<roundCount(100) {
        let work = Subject<Int, Never>()
        let command = Command { (_: Int) in work.signal }
        let answer = command.execute(0)
        let (sums, terminals) = (Counter(), Counter())
        withThreads(4) { index in
          if index == 0 {
            for number in 1...100 { work.send(number) }
            return work.complete()
          }
          for _ in 0..<5 {
            answer.subscribe(
              next: { sums.add($0) }, failed: { _ in terminals.add(1_000) }, completed: { terminals.add() })
          }
        }
        #expect(sums.value == 15 * 5_050 && terminals.value == 15)
      }
    }

    @Test("a task cancelled while its execution completes resumes once, with either outcome")
    func cancelledRun() async {
      for _ in 0..<roundCount(200) {
        let work = Subject<Int, Never>()
        let command = Command { (_: Int) in work.signal }
        let outcomes = Counter()
        let task = Task {
          do {
            _ = try await command.run(0)
            outcomes.add()
          } catch {
            outcomes.add(1_000)
          }
        }
        withThreads(2) { index in
          if index == 0 { return task.cancel() }
          work.send(1)
          work.complete()
        }
        await task.value
        #expect(outcomes.value == 1 || outcomes.value == 1_000)
      }
    }
  }
}

/// Runs actions on whichever threads call ``runOne()``, several at a time.
private final class Pool: Scheduler, @unchecked Sendable {
  // Unchecked: the rest is guarded by the lock, which is one that ThreadSanitizer knows.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var queue: [any ScheduledWork] = []
  private var first = 0
  private var running = 0

  init() { pthread_mutex_init(lock, nil) }
  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }

  func enqueue(_ work: any ScheduledWork) { locked { queue.append(work) } }

  /// Whether nothing is queued and nothing runs.
  var isEmpty: Bool { locked { first == queue.count && running == 0 } }

  func runOne() {
    let work = locked { () -> (any ScheduledWork)? in
      guard first < queue.count else { return nil }
      first += 1
      running += 1
      return queue[first - 1]
    }
    guard let work else { return weir_yield() }
    work.run()
    let done = locked { () -> [any ScheduledWork] in
      running -= 1
      guard running == 0, first == queue.count else { return [] }
      defer { (queue, first) = ([], 0) }
      return queue
    }
    _ = done
  }
}

/// Remembers the last value of a signal, and how often one came twice in a row.
private final class Watched: @unchecked Sendable {  // written in serial delivery, read after it
  private(set) var last = -1
  private(set) var repeated = 0
  private let terminated: @Sendable () -> Void
  private(set) lazy var grammar = Grammar<Bool, Never>(
    next: { [unowned self] value in
      let value = value ? 1 : 0
      if value == last { repeated += 1 }
      last = value
    }, terminated: { [terminated] _ in terminated() })

  init(terminated: @escaping @Sendable () -> Void = {}) { self.terminated = terminated }
}

/// A reference that one thread releases.
private final class Handed<Object: AnyObject & Sendable>: @unchecked Sendable {
  // Unchecked: dropped by one thread, and not read.
  private var object: Object?
  init(_ object: Object?) { self.object = object }
  func drop() { object = nil }
}
