// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// Commands that deliver on a given scheduler, and commands that are executed in their own handlers.
struct CommandDeliveryTests {
  @Test(
    "K2: on a scheduler, executing, enabled and the execution are delivered in that order, before the work starts"
  )
  func scheduled() {
    let scheduler = QueuedScheduler()
    defer { scheduler.stop() }
    let log = Box<[String]>([])
    let command = Command(on: scheduler) { (input: Int) -> Signal<Int, Never> in
      log.value.append("closure")
      return .deferred {
        log.value.append("work")
        return .just(input)
      }
    }
    command.executing.subscribe { log.value.append("executing \($0)") }
    command.enabled.subscribe { log.value.append("enabled \($0)") }
    command.executions.subscribe { _ in log.value.append("execution") }
    log.value = []
    let answer = Recorder(command.execute(1))
    #expect(log.value == ["closure"] && answer.events.isEmpty)
    #expect(command.isExecuting && !command.isEnabled)
    scheduler.runOne()
    #expect(log.value == ["closure", "executing true", "enabled false", "execution", "work"])
    #expect(answer.events.count == 2 && command.isEnabled)
    scheduler.runAll()
    #expect(log.value.suffix(2) == ["executing false", "enabled true"])
  }

  @Test("K3 K12: an execution is refused or accepted by the current state, not by the state delivered so far")
  func decidedAtOnce() {
    let scheduler = QueuedScheduler()
    defer { scheduler.stop() }
    let command = Command(on: scheduler) { (input: Int) in Signal<Int, Never>.just(input) }
    let first = Recorder(command.execute(1))
    #expect(Recorder(command.execute(2)).completion != nil)
    scheduler.runOne()
    #expect(first.values == [1])
    let third = Recorder(command.execute(3))
    scheduler.runAll()
    #expect(third.values == [3])
  }

  @Test("K5: enabled skips a state that a handler of executing has already reversed")
  func changedByHandler() {
    let command = Command { (input: Int) in Signal<Int, Never>.just(input) }
    let enabled = Recorder(command.enabled)
    command.executing.subscribe { [weak command] in if $0 { command?.concurrency = .unlimited } }
    command.execute(1)
    #expect(enabled.values == [true])
  }

  @Test(
    "K5: changes of enabled and errors are delivered on the scheduler; a state superseded by then is skipped")
  func changes() {
    let scheduler = QueuedScheduler()
    defer { scheduler.stop() }
    let input = Subject<Bool, Never>()
    let command = Command(enabledIf: input, on: scheduler) { (_: Int) in
      Signal<Int, Oops>.fail(Oops())
    }
    scheduler.runAll()
    let (enabled, errors) = (Recorder(command.enabled), Recorder(command.errors))
    input.send(false)
    #expect(enabled.values == [true] && !command.isEnabled)
    scheduler.runAll()
    #expect(enabled.values == [true, false])
    input.send(true)
    input.send(false)
    scheduler.runAll()
    #expect(enabled.values == [true, false])
    input.send(true)
    command.execute(1)
    #expect(errors.events.isEmpty)
    scheduler.runAll()
    #expect(errors.values == [Oops()])
    #expect(enabled.values == [true, false, true])
  }

  @Test(
    "K9 AC64: a command released on another thread completes its signals on the scheduler, whatever its input does"
  )
  func completions() {
    let scheduler = QueuedScheduler()
    defer { scheduler.stop() }
    let input = Subject<Bool, Never>()
    let command = Box<Command<Int, Int, Never>?>(
      Command(enabledIf: input, on: scheduler) { .just($0) })
    let completions = Box(0)
    command.value?.executing.subscribe(completed: { completions.value += 1 })
    command.value?.enabled.subscribe(completed: { completions.value += 1 })
    command.value?.errors.subscribe(completed: { completions.value += 1 })
    command.value?.executions.subscribe(completed: { completions.value += 1 })
    let enabled = command.value.map { Recorder($0.enabled) }
    scheduler.runAll()
    withThreads(1) { _ in
      command.value = nil
      input.send(false)
    }
    #expect(completions.value == 0 && input.subscriberCount == 0)
    scheduler.runAll()
    #expect(completions.value == 4)
    input.send(false)
    input.complete()
    scheduler.runAll()
    #expect(completions.value == 4 && enabled?.events == [.next(true), .completed])
  }

  @Test("K2: work executed in a handler of executions starts after that delivery and its own announcement")
  func nested() {
    let log = Box<[String]>([])
    let command = Command(concurrency: .unlimited) { (input: Int) in
      Signal<Int, Never>.deferred {
        log.value.append("work \(input)")
        return .just(input)
      }
    }
    command.executions.subscribe { [weak command] _ in
      log.value.append("announced")
      if log.value.count == 1 { for input in 1...2 { command?.execute(input) } }
    }
    command.executions.subscribe { _ in log.value.append("second") }
    command.execute(0)
    let announcements = Array(repeating: ["announced", "second"], count: 3).joined()
    #expect(log.value == announcements + ["work 0", "work 1", "work 2"])
  }

  @Test("K2: work executed by work that is being started starts when that has been subscribed")
  func nestedInWork() {
    let (log, held) = (Box<[String]>([]), Box<Command<Int, Int, Never>?>(nil))
    let command = Command(concurrency: .unlimited) { (input: Int) in
      Signal<Int, Never>.deferred {
        log.value.append("work \(input)")
        if input < 2 { held.value?.execute(input + 1) }
        log.value.append("subscribed")
        return .just(input)
      }
    }
    held.value = command
    command.executions.flatten().subscribe { log.value.append("\($0)") }
    command.execute(0)
    held.value = nil
    #expect(log.value == (0...2).flatMap { ["work \($0)", "subscribed", "\($0)"] })
  }

  @Test(
    "K2: 10,000 executions, each from an event of the one before, use constant stack",
    arguments: [CommandConcurrency.one, .unlimited])
  func constantStack(concurrency: CommandConcurrency) {
    withSmallStack {
      let rounds = Box(0)
      let command = Command(concurrency: concurrency) { (input: Int) in Signal<Int, Never>.just(input) }
      let again: @Sendable () -> Void = { [weak command] in
        rounds.value += 1
        if rounds.value < roundsOfEach { command?.execute(1) }
      }
      command.executions.subscribe { execution in
        switch concurrency {
        case .one: execution.subscribe(completed: again)
        default: execution.subscribe { _ in again() }
        }
      }
      command.execute(1)
      #expect(rounds.value == roundsOfEach)
    }
  }

  @Test(
    "K2: work executed in the first value of executing or enabled starts after that delivery and its announcement"
  )
  func nestedInFirstValue() {
    func order(in state: (Command<Int, Int, Never>) -> Signal<Bool, Never>) -> [String] {
      let log = Box<[String]>([])
      let command = Command { (input: Int) in
        Signal<Int, Never>.deferred {
          log.value.append("work")
          return .just(input)
        }
      }
      state(command).subscribe { [weak command] isOn in
        let isFirst = log.value.isEmpty
        log.value.append("\(isOn)")
        if !isFirst { return }
        command?.execute(1)
        log.value.append("over")
      }
      return log.value
    }
    #expect(order { $0.executing } == ["false", "over", "true", "work", "false"])
    #expect(order { $0.enabled } == ["true", "over", "false", "work", "true"])
  }

  @Test("K5: a change during subscribe reaches the new subscriber there, and all others on the scheduler")
  func newcomer() {
    let scheduler = QueuedScheduler()
    defer { scheduler.stop() }
    let input = Subject<Bool, Never>()
    let command = Command(enabledIf: input, on: scheduler) { (_: Int) in Signal<Int, Never>.never() }
    let here = weir_thread()
    let wasOnScheduler = Box<[Bool]>([])
    command.enabled.skip(first: 1).subscribe { _ in
      wasOnScheduler.value.append(scheduler.isCurrent && weir_thread() != here)
    }
    let newcomer = Box<[Bool]>([])
    command.enabled.subscribe { isEnabled in
      newcomer.value.append(isEnabled)
      #expect(weir_thread() == here && !scheduler.isCurrent)
      // During its first value, and during the change that it gets before `subscribe` returns.
      guard newcomer.value.count <= 2 else { return }
      let count = wasOnScheduler.value.count
      withThreads(1) { _ in
        input.send(!isEnabled)
        #expect(wasOnScheduler.value.count == count)
        scheduler.runAll()
        #expect(wasOnScheduler.value.count == count + 1)
      }
    }
    #expect(wasOnScheduler.value == [true, true])
    #expect(newcomer.value == [true, false, true])
  }

  @Test("a new subscriber to a deallocated command receives its last state and then completion")
  func late() {
    var command: Command<Int, Int, Never>? = Command(enabledIf: CurrentValue(false)) { .just($0) }
    let (enabled, executing) = (command?.enabled, command?.executing)
    command = nil
    #expect(enabled.map { Recorder($0).events } == [.next(false), .completed])
    #expect(executing.map { Recorder($0).events } == [.next(false), .completed])
  }

  @Test(
    "an execution on a scheduler that is shut down is interrupted and no longer counted; nothing is retained")
  func givenUp() async {
    let resources = Resources()
    do {
      let scheduler = SerialScheduler()
      _ = await scheduler.shutdown(within: .seconds(1))
      let command = Command<Int, Int, Oops>(on: scheduler) { [token = resources.make()] value in
        withExtendedLifetime(token) { .just(value) }
      }
      let wasInterrupted = Counter()
      command.execute(1).subscribe(
        next: { [token = resources.make()] _ in _ = token },
        failed: { if case .interrupted = $0 { wasInterrupted.add() } })
      #expect(wasInterrupted.value == 1 && !command.isExecuting && command.isEnabled)
      await #expect(throws: CommandError<Int, Int, Oops>.self) { try await command.run(2) }
      #expect(!command.isExecuting)
    }
    #expect(resources.alive == 0)
  }

  /// Gives up all work, and retains it.
  private final class Hoard: Scheduler {
    private let work = Box<[any ScheduledWork]>([])
    func enqueue(_ work: any ScheduledWork) {
      self.work.value.append(work)
      work.abandon()
    }
  }

  @Test("contract 7: an execution that a scheduler gives up is interrupted and its work released at once")
  func givenUpAndRetained() {
    let (resources, scheduler) = (Resources(), Hoard())
    let command = Command<Int, Int, Oops>(on: scheduler) { [resources] value in
      let token = resources.make()
      return .deferred { withExtendedLifetime(token) { .just(value) } }
    }
    let answer = Recorder(command.execute(1))
    guard case .failed(.interrupted) = answer.events.last else {
      Issue.record("\(answer.events)")
      return
    }
    #expect(resources.alive == 0 && !command.isExecuting)
    withExtendedLifetime(scheduler) {}
  }

  @Test(
    "concurrent events are serialised; an execution does not wait for a handler blocked on another thread")
  func blockedHandler() {
    let (entered, leave) = (Door(), Door())
    let command = Command(concurrency: .unlimited) { (input: Int) in Signal<Int, Never>.just(input) }
    let grammar = Grammar<Int, Never>(next: { count in
      if count == 0 {
        entered.open()
        leave.pass()
      }
    })
    let count = Counter()
    let subscription = grammar.subscribe(to: command.executions.map { _ in count.add() })
    let results = Box<[Int]>([])
    withThreads(2) { index in
      if index == 0 {
        command.execute(1)
      } else {
        entered.pass()
        // Completes although the other thread is blocked in a handler.
        results.value = Recorder(command.execute(2)).values
        leave.open()
      }
    }
    #expect(results.value == [2] && count.value == 2)
    #expect(grammar.violations == 0 && !command.isExecuting)
    subscription.dispose()
  }
}
