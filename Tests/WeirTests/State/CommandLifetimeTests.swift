// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What a command retains, and when it releases it.
struct CommandLifetimeTests {
  typealias Held = Command<Subject<Int, Oops>, Int, Oops>

  private func events(of command: Held) -> (
    executing: Recorder<Bool, Never>, enabled: Recorder<Bool, Never>, errors: Recorder<Oops, Never>,
    executions: Recorder<Int, Never>
  ) {
    (
      Recorder(command.executing), Recorder(command.enabled), Recorder(command.errors),
      Recorder(command.executions.map { _ in 0 })
    )
  }

  @Test("K9: a released command completes its signals at once, and releases its input and its closure")
  func released() {
    let resources = Resources()
    let input = Subject<Bool, Never>()
    var command: Held? = Command(
      enabledIf: input.doNext { [token = resources.make()] _ in _ = token }
    ) { [token = resources.make()] work in
      _ = token
      return work.signal
    }
    let seen = command.map(events(of:))
    #expect(resources.alive == 2)
    command = nil
    #expect(resources.alive == 0)
    #expect(seen?.executing.events == [.next(false), .completed])
    #expect(seen?.enabled.events == [.next(true), .completed])
    #expect(seen?.errors.events == [.completed])
    #expect(seen?.executions.events == [.completed])
    input.send(false)
  }

  @Test("K10: a command without subscribers is deallocated, whether it was executed or not")
  func withoutSubscribers() {
    weak var command: Held?
    do {
      let own = Held { $0.signal }
      command = own
    }
    #expect(command == nil)
    do {
      let own = Held { $0.signal }
      command = own
      let work = Subject<Int, Oops>()
      let answer = own.execute(work)
      work.complete()
      #expect(Recorder(answer).completion != nil)
    }
    #expect(command == nil)
  }

  @Test("a command is not retained by its signals, subscriptions, returned signals or running work")
  func notKept() {
    weak var command: Held?
    let work = Subject<Int, Oops>()
    let signals = Box<[Any]>([])
    do {
      let own = Held(enabledIf: Signal<Bool, Never>.never()) { $0.signal }
      command = own
      signals.value = [
        own.executing, own.enabled, own.errors, own.executions, own.execute(work), events(of: own),
      ]
    }
    #expect(command == nil)
    withExtendedLifetime(signals) {}
  }

  @Test(
    "K9: running work continues after its command is released; executing and errors complete when it ends")
  func releasedWhileRunning() {
    let resources = Resources()
    var command: Held? = Held(concurrency: .unlimited) { [token = resources.make()] work in
      _ = token
      return work.signal
    }
    let seen = command.map(events(of:))
    let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let answers = [first, second].compactMap { work in command.map { Recorder($0.execute(work)) } }
    command = nil
    #expect(resources.alive == 0)
    #expect(seen?.enabled.completion != nil && seen?.executions.completion != nil)
    #expect(seen?.executing.events == [.next(false), .next(true)] && seen?.errors.events == [])
    first.send(1)
    first.fail(Oops(code: 1))
    #expect(seen?.executing.completion == nil && seen?.errors.completion == nil)
    second.send(2)
    second.fail(Oops(code: 2))
    #expect(seen?.executing.events == [.next(false), .next(true), .next(false), .completed])
    #expect(seen?.errors.events == [.next(Oops(code: 1)), .next(Oops(code: 2)), .completed])
    #expect(answers.map(\.values) == [[1], [2]])
  }

  @Test(
    "a command released in a handler of executions is deallocated; executing completes when the work ends")
  func droppedInside() {
    let command = Box<Held?>(Held { $0.signal })
    let executing = Recorder(command.value?.executing ?? .empty())
    command.value?.executions.subscribe { _ in command.value = nil }
    let work = Subject<Int, Oops>()
    command.value?.execute(work)
    #expect(command.value == nil)
    work.complete()
    #expect(executing.events == [.next(false), .next(true), .next(false), .completed])
  }

  @Test("a completed execution releases its work, and its values once the returned signal is released")
  func execution() {
    let resources = Resources()
    let command = Command { (_: Int) -> Signal<Resources.Resource, Never> in
      Signal.create { [token = resources.make()] observer in
        _ = token
        observer.send(resources.make())
        observer.complete()
        return nil
      }
    }
    var answer: Signal<Resources.Resource, CommandError<Int, Resources.Resource, Never>>? = command.execute(0)
    #expect(resources.alive == 1)
    answer = nil
    #expect(resources.alive == 0 && answer == nil)
    // Work that completes later, and whose source stays.
    let source = Subject<Int, Oops>()
    let later = Command { (work: Signal<Int, Oops>) in work }
    let kept = later.execute(source.doNext { [token = resources.make()] _ in _ = token })
    source.send(1)
    #expect(resources.alive == 1)
    source.complete()
    #expect(resources.alive == 0)
    withExtendedLifetime((command, later, kept)) {}
  }

  /// A command whose work hands out its observer, and notes that its resources were disposed.
  private static func command(
    _ observer: Box<Observer<Int, Oops>?>, disposing disposed: Box<Bool>
  ) -> Command<Int, Int, Oops> {
    Command { _ in
      .create {
        observer.value = $0
        return ActionDisposable { disposed.value = true }
      }
    }
  }

  @Test("the work's resources are disposed before its completion is delivered")
  func workEndsFirst() {
    let disposed = Box(false)
    let observer = Box<Observer<Int, Oops>?>(nil)
    let command = Self.command(observer, disposing: disposed)
    let disposedInEnd = Box(false)
    command.execute(0).subscribe(completed: { disposedInEnd.value = disposed.value })
    #expect(!disposed.value)
    observer.value?.complete()
    #expect(disposedInEnd.value)
  }

  @Test("the resources of work that lets go are disposed before its interruption is delivered")
  func interruptedWorkEndsFirst() {
    let disposed = Box(false)
    let observer = Box<Observer<Int, Oops>?>(nil)
    let command = Self.command(observer, disposing: disposed)
    let seen = Box<[Bool]>([])
    command.executing.filter { !$0 }.skip(first: 1).subscribe { _ in seen.value.append(disposed.value) }
    command.execute(0).subscribe(next: { _ in }, failed: { _ in seen.value.append(disposed.value) })
    #expect(!disposed.value)
    observer.value = nil
    #expect(seen.value == [true, true])
  }

  @Test("memory stays constant over many executions")
  func constantMemory() async {
    await #expect(processExitsWith: .success) {
      let command = Command { (input: Int) in Signal<Int, Never>.just(input) }
      let sum = Box(0)
      command.executions.flatten().subscribe { sum.value += $0 }
      let growth = allocatedGrowth { command.execute(1) }
      #expect(growth < spareMemory)
      #expect(sum.value == roundsToGrow)
    }
  }

  @Test("memory stays constant over many executions on a stopped scheduler")
  func constantMemoryGivenUp() async {
    await #expect(processExitsWith: .success) {
      let scheduler = QueuedScheduler()
      scheduler.stop()
      let command = Command(concurrency: .unlimited, on: scheduler) { (input: Int) in
        Signal<Int, Never>.just(input)
      }
      let growth = allocatedGrowth { command.execute(1) }
      #expect(growth < spareMemory)
      #expect(!command.isExecuting)
    }
  }
}
