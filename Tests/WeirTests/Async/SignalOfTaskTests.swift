// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Signals of asynchronous functions.
struct SignalOfTaskTests {
  @TaskLocal private static var trace = "none"

  /// What is set inside.
  private static func ownTrace(_ number: Int) -> String { $trace.withValue("own \(number)") { trace } }

  private let stage = TaskStage()

  @Test("one value and the end, by a task of its own for each subscription, that runs later")
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
    #expect(first.subscription?.isDisposed == true)
  }

  @Test("what it throws is what the signal fails with, typed")
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
    "disposal cancels the task, and releases what is downstream at once, though the operation does not heed it"
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

  @Test("what an operation throws because it was cancelled is dropped, and not reported as unhandled")
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

  @Test("a task disposed before it begins does nothing")
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

  @Test("flatMap with a limit: so many operations at a time, and the results as they come")
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
    for (index, gate) in gates.enumerated() {
      gate.send(index * 10)
      stage.run()
    }
    #expect(recorder.values == [0, 10, 20, 30, 40, 50] && most.value == 2)
    #expect(recorder.completion == .finished)
  }

  @Test("no task-local value crosses into an operation: of who subscribes, or of who made room")
  func taskLocals() {
    let (requests, executor) = (Subject<Int, Never>(), stage.executor)
    let recorder = Recorder(
      requests.flatMap(.merge(limit: 1)) { number in
        Signal<String, Never>.task(executorPreference: executor) {
          "\(Self.trace), \(Self.ownTrace(number))"
        }
      })
    // The second begins inside the end of the first.
    for number in 1...2 { Self.$trace.withValue("sender \(number)") { requests.send(number) } }
    stage.run()
    #expect(recorder.values == ["none, own 1", "none, own 2"])
    recorder.dispose()
  }

  @Test("the priority of the task that subscribes does not cross into an operation")
  func priorityOfSubscriber() {
    let (executor, recorder) = (stage.executor, Box<Recorder<TaskPriority, Never>?>(nil))
    let signal = Signal<TaskPriority, Never>.task(executorPreference: executor) { Task.currentPriority }
    Task(executorPreference: executor, priority: .background) { recorder.value = Recorder(signal) }
    stage.run()
    #expect(recorder.value?.values == [.medium])
  }

  @Test("the priority is that of the task, the executor where it runs")
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
}
