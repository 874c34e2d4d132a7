// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What executing a command does, in order.
struct CommandTests {
  /// A command whose executions are held open by the subject that is its input.
  typealias Held = Command<Subject<Int, Oops>, Int, Oops>
  private func held(_ concurrency: CommandConcurrency = .one) -> Held {
    Command(concurrency: concurrency) { $0.signal }
  }

  @Test("AC58: a new command is enabled and not executing")
  func initial() {
    let command = Command { (input: Int) in Signal<Int, Never>.just(input) }
    #expect(Recorder(command.enabled).events == [.next(true)])
    #expect(Recorder(command.executing).events == [.next(false)])
    #expect(command.isEnabled && !command.isExecuting && command.concurrency == .one)
    #expect(Recorder(command.errors).events.isEmpty)
    #expect(Recorder(command.executions.map { _ in 0 }).events.isEmpty)
  }

  @Test(
    "K5 AC59: a command whose input sends false while it is being subscribed to is disabled from the start")
  func disabledFromTheBeginning() {
    let scheduler = QueuedScheduler()
    defer { scheduler.stop() }
    let command = Command(enabledIf: Signal<Bool, Never>.just(false), on: scheduler) {
      (input: Int) in Signal<Int, Never>.just(input)
    }
    #expect(Recorder(command.enabled).events == [.next(false)])
    #expect(!command.isEnabled)
  }

  @Test("K5: the input may be a property, which the command does not retain")
  func propertyAsInput() {
    var isAllowed: MutableProperty<Bool>? = MutableProperty(false)
    let command = isAllowed.map {
      Command(enabledIf: $0) { (input: Int) in Signal<Int, Never>.just(input) }
    }
    #expect(command?.isEnabled == false)
    isAllowed?.value = true
    #expect(command?.isEnabled == true)
    weak let left = isAllowed
    isAllowed = nil
    #expect(left == nil)
    #expect(command?.isEnabled == true)
  }

  @Test(
    "K5: enabled follows the input without repeats; after the input completes, its last value stays in force")
  func input() {
    let input = Subject<Bool, Never>()
    let command = Command(enabledIf: input) { (input: Int) in Signal<Int, Never>.just(input) }
    let enabled = Recorder(command.enabled)
    for value in [true, false, false, true, false] { input.send(value) }
    #expect(enabled.values == [true, false, true, false])
    input.complete()
    #expect(enabled.completion == nil)
    #expect(!command.isEnabled)
    #expect(Recorder(command.execute(1)).values.isEmpty)
  }

  @Test(
    "K3 AC60: a disabled command does not call its closure; execute fails, naming the command and the input")
  func notEnabled() {
    let calls = Box(0)
    let command = Command(enabledIf: Signal<Bool, Never>.just(false)) { (input: Int) -> Signal<Int, Never> in
      calls.value += input
      return .just(input)
    }
    let (errors, executions) = (Recorder(command.errors), Recorder(command.executions.map { _ in 0 }))
    let answer = Recorder(command.execute(7))
    guard case .failed(.notEnabled(.disabled, let refusing, let input)) = answer.events.first else {
      Issue.record("\(answer.events)")
      return
    }
    #expect(refusing === command && input == 7)
    #expect(answer.events.count == 1 && calls.value == 0)
    #expect(errors.events.isEmpty && executions.events.isEmpty)
  }

  @Test(
    "K1: execute calls the closure, announces the execution and runs the work, in that order, before it returns"
  )
  func order() {
    let log = Box<[String]>([])
    let command = Command { (input: Int) -> Signal<Int, Never> in
      log.value.append("closure \(input)")
      return Signal.create { observer in
        log.value.append("work")
        observer.send(input)
        observer.complete()
        return nil
      }
    }
    command.executing.subscribe { log.value.append("executing \($0)") }
    command.enabled.subscribe { log.value.append("enabled \($0)") }
    command.executions.subscribe { _ in log.value.append("execution") }
    log.value = []
    let answer = Recorder(command.execute(3))
    #expect(
      log.value == [
        "closure 3", "executing true", "enabled false", "execution", "work", "executing false",
        "enabled true",
      ])
    #expect(answer.events.count == 2 && answer.values == [3])
  }

  @Test(
    "K1 DD-18: an execution counts before its closure is called, so executing inside the closure is refused")
  func insideClosure() {
    let inner = Box<Recorder<Int, CommandError<Int, Int, Never>>?>(nil)
    let command = Box<Command<Int, Int, Never>?>(nil)
    command.value = Command { input in
      #expect(command.value?.isExecuting == true)
      if let again = command.value?.execute(input + 1) { inner.value = Recorder(again) }
      return .just(input)
    }
    #expect(command.value.map { Recorder($0.execute(1)).values } == [1])
    guard case .failed(.notEnabled(.busy, _, 2)) = inner.value?.events.first else {
      Issue.record("executed inside its own closure")
      return
    }
    // The error retains the command, whose closure retains the recorder of the error.
    (command.value, inner.value) = (nil, nil)
  }

  @Test(
    "K2 AC61: executing is true and enabled false during the first value, and the reverse after completion")
  func insideFirstValue() {
    let command = held()
    let (executing, enabled) = (Recorder(command.executing), Recorder(command.enabled))
    let work = Subject<Int, Oops>()
    let seen = Box<[Bool]>([])
    command.execute(work).subscribe { _ in
      seen.value = [executing.values.last == true, enabled.values.last == false]
      #expect(command.isExecuting && !command.isEnabled)
    }
    work.send(1)
    #expect(seen.value == [true, true])
    work.complete()
    #expect(executing.values == [false, true, false])
    #expect(enabled.values == [true, false, true])
  }

  @Test("K2: executing and enabled have changed before the first value of a synchronous execution")
  func synchronousFirstValue() {
    let seen = Box<[Bool]>([])
    let command = Command { (_: Int) in
      Signal<Int, Never>.create { observer in
        observer.send(seen.value.count)
        observer.complete()
        return nil
      }
    }
    let (executing, enabled) = (Recorder(command.executing), Recorder(command.enabled))
    command.executions.subscribe { execution in
      execution.subscribe { _ in
        seen.value = [executing.values == [false, true], enabled.values == [true, false]]
      }
    }
    command.execute(0)
    #expect(seen.value == [true, true])
  }

  @Test(
    "K3: a second execution is refused while the first runs, and accepted where that completes, fails or is interrupted",
    arguments: 0..<3)
  func oneAtATime(end: Int) {
    let command = held()
    var first: Subject<Int, Oops>? = Subject()
    let second = Subject<Int, Oops>()
    let inEnd = Box<Recorder<Int, CommandError<Subject<Int, Oops>, Int, Oops>>?>(nil)
    @Sendable func executeAgain() { inEnd.value = Recorder(command.execute(second)) }
    _ = first.map { command.execute($0).subscribe(failed: { _ in executeAgain() }, completed: executeAgain) }
    let refused = Recorder(command.execute(second))
    guard case .failed(.notEnabled) = refused.events.first else {
      Issue.record("two at a time")
      return
    }
    switch end {
    case 0: first?.complete()
    case 1: first?.fail(Oops(code: 1))
    default: first = nil
    }
    second.send(2)
    #expect(inEnd.value?.values == [2])
  }

  @Test("K6 AC62: executing stays true until both of two executions have ended, one of them by failure")
  func untilAllHaveEnded() {
    let command = held(.unlimited)
    let executing = Recorder(command.executing)
    let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let results = [Recorder(command.execute(first)), Recorder(command.execute(second))]
    first.fail(Oops())
    #expect(executing.values == [false, true] && command.isExecuting)
    second.complete()
    #expect(executing.values == [false, true, false] && !command.isExecuting)
    #expect(results[1].completion != nil)
  }

  @Test("K11: closure and work run once per execution; a late subscriber receives all events")
  func replayed() {
    let (calls, runs) = (Box(0), Box(0))
    let work = Subject<Int, Never>()
    let command = Command { (_: Int) -> Signal<Int, Never> in
      calls.value += 1
      return .deferred {
        runs.value += 1
        return work.signal
      }
    }
    let execution = command.execute(0)
    let first = Recorder(execution)
    for value in 1...3 { work.send(value) }
    let late = Recorder(execution)
    work.send(4)
    work.complete()
    let afterwards = Recorder(execution)
    for recorder in [first, late, afterwards] {
      #expect(recorder.values == [1, 2, 3, 4] && recorder.events.count == 5)
    }
    #expect(calls.value == 1 && runs.value == 1)
  }

  @Test("K11: executions are announced in order, and only to current subscribers")
  func announced() {
    let command = Command { (input: Int) in Signal<Int, Never>([input, input * 10]) }
    command.execute(1)
    let values = Recorder(command.executions.flatten())
    command.execute(2)
    command.execute(3)
    #expect(values.values == [2, 20, 3, 30])
  }

  @Test("disposing a subscription to the returned signal does not cancel the work")
  func disposedAnswer() {
    let command = held()
    let work = Subject<Int, Oops>()
    let execution = command.execute(work)
    let first = Recorder(execution)
    first.dispose()
    work.send(1)
    #expect(command.isExecuting)
    work.complete()
    #expect(first.events.isEmpty && !command.isExecuting)
    #expect(Recorder(execution).values == [1])
  }

  @Test("K6 DD-25: an execution whose source is released without a terminal event ends as interrupted")
  func abandoned() {
    let command = held()
    let (executing, errors) = (Recorder(command.executing), Recorder(command.errors))
    let inner = Box<Recorder<Int, Never>?>(nil)
    command.executions.subscribe { inner.value = Recorder($0) }
    var work: Subject<Int, Oops>? = Subject()
    let answer = work.map { Recorder(command.execute($0)) }
    work?.send(1)
    work = nil
    guard case .failed(.interrupted) = answer?.events.last else {
      Issue.record("\(String(describing: answer?.events))")
      return
    }
    #expect(answer?.values == [1] && inner.value?.events == [.next(1), .completed])
    #expect(executing.values == [false, true, false] && errors.events.isEmpty)
  }

  @Test("K6 DD-25: an execution whose source releases its sink ends as interrupted, with never() at once")
  func sinkDropped() {
    let sink = Box<Sink<Int, Never>?>(nil)
    let works: [Signal<Int, Never>] = [Signal.attaching { sink.value = $0 }, .never()]
    let command = Command { (input: Int) in works[input] }
    let executing = Recorder(command.executing)
    let answer = Recorder(command.execute(0))
    #expect(command.isExecuting && answer.events.isEmpty)
    sink.value = nil
    for answer in [answer, Recorder(command.execute(1))] {
      guard case .failed(.interrupted) = answer.events.last else {
        Issue.record("\(answer.events)")
        return
      }
    }
    #expect(executing.values == [false, true, false, true, false] && command.isEnabled)
  }

  @Test("a command without input is executed without an argument")
  func withoutInput() {
    let command = Command { Signal<Int, Never>.just(5) }
    #expect(Recorder(command.execute()).values == [5])
  }

  @Test(
    "K2: 10,000 executions from a handler of executing use constant stack, each announced before its work")
  func constantStack() {
    withSmallStack {
      let (rounds, limit) = (Box(0), Box(0))
      let (values, unannounced) = (Box(0), Box(0))
      let seen = Box(false)
      let command = Command { (input: Int) in
        Signal<Int, Never>.deferred {
          if !seen.value { unannounced.value += 1 }
          return .just(input)
        }
      }
      command.executions.flatten().subscribe { values.value += $0 }
      command.executing.subscribe { [weak command] isExecuting in
        seen.value = isExecuting
        if isExecuting || rounds.value == limit.value { return }
        rounds.value += 1
        command?.execute(1)
      }
      limit.value = roundsOfEach
      command.execute(1)
      #expect(rounds.value == roundsOfEach)
      #expect(values.value == roundsOfEach + 1)
      #expect(unannounced.value == 0)
    }
  }

  @Test(
    "K2: 100,000 executions from a handler of errors use constant stack while a thread is in postponed work")
  func constantStackBesideAnother() {
    let (entered, leave) = (Door(), Door())
    let command = Command(concurrency: .unlimited) { (input: Int) -> Signal<Int, Oops> in
      switch input {
      case 0:
        .deferred {
          entered.open()
          leave.pass()
          return .empty()
        }
      case 1: .fail(Oops())
      default: .empty()
      }
    }
    // Executed in this handler, so its work is postponed.
    command.executions.take(first: 1).subscribe { [weak command] _ in command?.execute(0) }
    let rounds = Box(0)
    withThreads(2) { index in
      if index == 0 {
        command.execute(2)
        return
      }
      entered.pass()
      withSmallStack {
        command.errors.subscribe { [weak command] _ in
          if rounds.value == manyRounds { return }
          rounds.value += 1
          command?.execute(1)
        }
        command.execute(1)
      }
      leave.open()
    }
    #expect(rounds.value == manyRounds)
  }

  @Test("10,000 executions from a handler of executing, inside its subscribe call, use constant stack")
  func constantStackInSubscription() {
    withSmallStack {
      let (rounds, values) = (Box(0), Box(0))
      let command = Command { (input: Int) in Signal<Int, Never>.just(input) }
      command.executions.flatten().subscribe { values.value += $0 }
      command.executing.subscribe { [weak command] isExecuting in
        if isExecuting || rounds.value == roundsOfEach { return }
        rounds.value += 1
        command?.execute(1)
      }
      #expect(rounds.value == roundsOfEach)
      #expect(values.value == roundsOfEach)
    }
  }
}
