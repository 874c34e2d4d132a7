// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Signals of asynchronous functions.
struct SignalOfTaskTests {
  @TaskLocal private static var trace = "none"

  /// The value that an operation sets for itself.
  private static func ownTrace(_ number: Int) -> String { $trace.withValue("own \(number)") { trace } }

  private let stage = TaskStage()

  @Test("each subscription starts a task of its own, which sends its value and a completion later")
  func value() {
    let runs = Counter()
    let signal = Signal<Int, Never>.task(executorPreference: stage.executor) {
      runs.add()
      return runs.value
    }
    stage.run()
    #expect(runs.value == 0)
    let first = Recorder(signal)
    #expect(first.events == [])
    let second = Recorder(signal)
    stage.run()
    #expect(first.events == [.next(1), .completed])
    #expect(second.events == [.next(2), .completed])
    #expect(first.subscription.isDisposed)
  }

  @Test("an error thrown by the operation becomes the signal's failure, with its type")
  func failure() {
    @Sendable func refuse() async throws(Oops) -> Int { throw Oops(code: 3) }
    let recorder = Recorder(
      Signal<Int, Oops>.task(executorPreference: stage.executor) { () async throws(Oops) in try await refuse()
      })
    stage.run()
    #expect(recorder.events == [.failed(Oops(code: 3))])
    let untyped = Signal.task { () async throws -> Int in 3 }
    #expect(type(of: untyped) == Signal<Int, any Error>.self)
  }

  @Test(
    "disposal cancels the task and releases downstream at once, even if the operation ignores the cancellation"
  )
  func disposed() {
    let (resources, wasCancelled) = (Resources(), Box(false))
    let gate = Box<UnsafeContinuation<Int, Never>?>(nil)
    let recorder = Recorder(
      Signal<Int, Never>.task(executorPreference: stage.executor) {
        let value = await withUnsafeContinuation { gate.value = $0 }
        wasCancelled.value = Task.isCancelled
        return value
      }.doNext { [token = resources.make()] _ in _ = token })
    stage.run()
    #expect(resources.alive == 1)
    recorder.dispose()
    #expect(resources.alive == 0)
    gate.value?.resume(returning: 1)
    stage.run()
    #expect(wasCancelled.value && recorder.events == [])
  }

  @Test("an error that an operation throws on cancellation is dropped, not reported as unhandled")
  func throwsWhenDisposed() async {
    await #expect(processExitsWith: .success) {
      UnhandledErrors.setHandler { _ in fatalError("reported") }
      let (stage, gate) = (TaskStage(), Box<UnsafeContinuation<Void, Never>?>(nil))
      let recorder = Recorder(
        Signal<Int, any Error>.task(executorPreference: stage.executor) {
          await withUnsafeContinuation { gate.value = $0 }
          try Task.checkCancellation()
          return 1
        })
      stage.run()
      recorder.dispose()
      gate.value?.resume()
      stage.run()
      #expect(recorder.values == [])
    }
  }

  @Test("a task disposed before it starts does not run its operation")
  func disposedBefore() {
    let runs = Counter()
    let recorder = Recorder(
      Signal<Int, Never>.task(executorPreference: stage.executor) {
        runs.add()
        return 1
      })
    recorder.dispose()
    stage.run()
    #expect(runs.value == 0 && recorder.events == [])
  }

  @Test(
    "flatMap(.merge(limit: 2)) runs at most two operations at a time, and delivers results as they complete")
  func boundedConcurrency() async {
    let (running, most) = (Counter(), Box(0))
    let stage = stage
    let gates = (0..<6).map { _ in Subject<Int, Never>() }
    let recorder = Recorder(
      Signal<Int, Never>.range(0..<6).flatMap(.merge(limit: 2)) { index in
        .task(executorPreference: stage.executor) {
          running.add()
          most.value = max(most.value, running.value)
          let value = await gates[index].firstValue() ?? -1
          running.add(-1)
          return value
        }
      })
    stage.run()
    #expect(running.value == 2)
    // The first one lasts until three more have begun.
    for index in [1, 2, 0, 4, 3, 5] {
      gates[index].send(index * 10)
      stage.run()
      #expect(recorder.values.last == index * 10)
    }
    #expect(recorder.values == [10, 20, 0, 40, 30, 50] && most.value == 2)
    #expect(recorder.completion == .completed)
  }

  @Test(
    "an operation inherits no task-local value, neither from its subscriber nor from the operation before it")
  func taskLocals() {
    let (requests, executor) = (Subject<Int, Never>(), stage.executor)
    let recorder = Recorder(
      requests.flatMap(.merge(limit: 1)) { number in
        Signal<String, Never>.task(executorPreference: executor) {
          "\(Self.trace), \(Self.ownTrace(number))"
        }
      })
    // The second operation begins inside the completion of the first.
    for number in 1...2 { Self.$trace.withValue("sender \(number)") { requests.send(number) } }
    stage.run()
    #expect(recorder.values == ["none, own 1", "none, own 2"])
    recorder.dispose()
  }

  @Test("an operation does not inherit the priority of the subscribing task")
  func priorityOfSubscriber() {
    let (executor, recorder) = (stage.executor, Box<Recorder<TaskPriority, Never>?>(nil))
    let signal = Signal<TaskPriority, Never>.task(executorPreference: executor) { Task.currentPriority }
    Task(executorPreference: executor, priority: .background) { recorder.value = Recorder(signal) }
    stage.run()
    #expect(recorder.value?.values == [.medium])
  }

  @Test("an operation runs with the given priority, and on the given executor")
  func priority() async {
    let signal = Signal<TaskPriority, Never>.task(priority: .background) { Task.currentPriority }
    #expect(await signal.firstValue() == .background)
    let (scheduler, isCurrent) = (stage.scheduler, Box(false))
    let there = Recorder(
      Signal<Bool, Never>.task(executorPreference: stage.executor) { true }
        .doNext { _ in isCurrent.value = scheduler.isCurrent })
    stage.run()
    #expect(there.values == [true] && isCurrent.value)
  }

  @Test("article on tasks: a task sends its progress, and then its end, its failure, or nothing, if disposed")
  func progress() {
    let scheduler = VirtualScheduler()
    let (executor, clock) = (SchedulerTaskExecutor(scheduler), scheduler.clock)
    @Sendable func upload(_ file: Int, _ report: @escaping @Sendable (Int) -> Void) async throws {
      report(1)
      if file == 1 { throw Oops() }
      try await clock.sleep(for: .seconds(1))
      report(2)
    }
    func progress(_ file: Int) -> Recorder<Int, any Error> {
      Recorder(
        Signal<Int, any Error>.create { observer in
          Signal.task(executorPreference: executor) { try await upload(file) { observer.send($0) } }
            .ignoreValues().forward(to: observer)
        })
    }
    let (done, failed, disposed) = (progress(0), progress(1), progress(2))
    scheduler.advance(by: .milliseconds(500))
    #expect(done.values == [1] && done.completion == nil && disposed.values == [1])
    disposed.dispose()
    scheduler.run()
    #expect(done.values == [1, 2] && failed.values == [1] && disposed.values == [1])
    if case .completed = done.completion {} else { Issue.record("it has not completed") }
    if case .failed(let error) = failed.completion { #expect(error is Oops) }
    #expect(failed.completion != nil && disposed.completion == nil)
  }
}
