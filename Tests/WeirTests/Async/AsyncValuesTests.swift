// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What the values of a signal promise to a task.
struct AsyncValuesTests {
  private let stage = TaskStage()

  @Test("an iterator returns all values sent since it was made, in order, and then nil for ever")
  func inOrder() {
    let subject = Subject<Int, Oops>()
    let iteration = Iteration(subject.values())
    for value in 0..<5 { subject.send(value) }
    stage.start { await iteration.finish() }
    #expect(iteration.values == [0, 1, 2, 3, 4], "and then the task waits")
    #expect(iteration.events.count == 5)
    subject.send(5)
    subject.send(6)
    subject.complete()
    stage.run()
    #expect(iteration.values == [0, 1, 2, 3, 4, 5, 6])
    #expect(iteration.events.last == .completed && iteration.events.count == 8)
    stage.start { for _ in 0..<3 { await iteration.next() } }
    #expect(iteration.events.suffix(3) == [.completed, .completed, .completed])
  }

  @Test("E3: a failure is thrown once, with its type, after the buffered values; then next() returns nil")
  func fails() {
    let subject = Subject<Int, Oops>()
    let iteration = Iteration(subject.values())
    subject.send(1)
    subject.send(2)
    subject.fail(Oops(code: 7))
    stage.start { for _ in 0..<5 { await iteration.next() } }
    #expect(iteration.events == [.next(1), .next(2), .failed(Oops(code: 7)), .completed, .completed])
  }

  private struct Costly: Error { let token: Resources.Resource }

  @Test("contract 7: a thrown failure is released although the iterator is retained")
  func failureReleased() {
    let (resources, held) = (Resources(), Box<Observer<Int, Costly>?>(nil))
    let signal = Signal<Int, Costly>.create { observer in
      held.value = observer
      return nil
    }
    let iterator = Box(signal.values().makeAsyncIterator())
    held.value?.fail(Costly(token: resources.make()))
    #expect(resources.alive == 1)
    stage.start {
      var iterator = iterator.value
      do throws(Costly) {
        _ = try await iterator.next(isolation: nil)
        Issue.record("no failure")
      } catch {}
    }
    #expect(resources.alive == 0)
    withExtendedLifetime(iterator) {}
  }

  @Test("a failure that arrives while the task is suspended is thrown", arguments: [true, false])
  func failsWaiting(isCold: Bool) {
    let subject = Subject<Int, Oops>()
    let iteration = Iteration((isCold ? subject.map { $0 } : subject.signal).values())
    stage.start { await iteration.finish() }
    #expect(iteration.calls == 1 && iteration.events == [])
    subject.fail(Oops(code: 8))
    stage.run()
    #expect(iteration.events == [.failed(Oops(code: 8))])
  }

  @Test("next() and a loop need no `try` if the signal cannot fail")
  func infallible() async {
    let subject = Subject<Int, Never>()
    let values = subject.values()
    var iterator = values.makeAsyncIterator()
    subject.send(3)
    let first = await iterator.next()
    #expect(first == 3)
    var sum = 0
    for await value in Signal<Int, Never>.range(0..<10).values() { sum += value }
    #expect(sum == 45)
  }

  @Test("a loop throws the failure with its type")
  func typedLoop() async {
    let signal = Signal<Int, Oops>([1, 2]).concat(Signal.fail(Oops(code: 4)))
    var values: [Int] = []
    do throws(Oops) {
      for try await value in signal.values() { values.append(value) }
      Issue.record("no failure")
    } catch {
      #expect(error.code == 4)
    }
    #expect(values == [1, 2])
  }

  @Test("making an iterator subscribes at once; each iterator has a subscription of its own")
  func subscribesAtOnce() {
    let (subscriptions, subject) = (Counter(), Subject<Int, Never>())
    let values = subject.signal.on(subscribed: { subscriptions.add() }).values()
    #expect(subscriptions.value == 0)
    let first = Iteration(values)
    #expect(subscriptions.value == 1)
    subject.send(1)
    let second = Iteration(values)
    #expect(subscriptions.value == 2)
    subject.send(2)
    subject.complete()
    stage.start { await first.finish() }
    stage.start { await second.finish() }
    #expect(first.values == [1, 2] && second.values == [2])
  }

  @Test("a task is suspended only while nothing is buffered, and resumed once for a burst of values")
  func suspends() {
    let subject = Subject<Int, Never>()
    let iteration = Iteration(subject.values())
    stage.start { await iteration.finish() }
    for round in 0..<10 {
      for value in 0..<100 { subject.send(round * 100 + value) }
      // One piece of work: the second would trap.
      stage.scheduler.runOne()
      #expect(iteration.values.count == (round + 1) * 100)
    }
    subject.complete()
    stage.run()
    #expect(iteration.values.elementsEqual(0..<1_000))
  }

  @Test("two tasks, each with its own iterator, receive all values of one subject")
  func twoConsumers() {
    let subject = Subject<Int, Never>()
    let iterations = (0..<2).map { _ in Iteration(subject.values()) }
    for iteration in iterations { stage.start { await iteration.finish() } }
    for value in 0..<3 {
      subject.send(value)
      stage.run()
    }
    subject.complete()
    stage.run()
    for iteration in iterations { #expect(iteration.events == [.next(0), .next(1), .next(2), .completed]) }
  }

  @Test(
    "a source released without a terminal event ends the iteration after the buffered values",
    arguments: [true, false])
  func released(isWaiting: Bool) {
    var subject: Subject<Int, Never>? = Subject()
    guard let values = subject?.values() else { return }
    let iteration = Iteration(values)
    _ = consume values
    if isWaiting { stage.start { await iteration.finish() } }
    subject?.send(1)
    subject = nil
    stage.start { await iteration.finish() }
    stage.run()
    #expect(iteration.events.prefix(2) == [.next(1), .completed])
  }

  @Test("shutting down the scheduler of observe(on:) ends the iteration without a terminal event")
  func abandoned() {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
    let iteration = Iteration(subject.observe(on: scheduler).values())
    stage.start { await iteration.finish() }
    subject.send(1)
    scheduler.stop()
    stage.run()
    #expect(iteration.events == [.completed])
  }

  @Test(
    "a source is released at its terminal event although values are still buffered", arguments: [true, false])
  func sourceReleased(fails: Bool) {
    let (resources, held) = (Resources(), Held<Oops>(nil))
    let iteration = Iteration(
      Signal<Int, Oops>.create { [token = resources.make()] observer in
        held.value = observer
        return ActionDisposable { _ = token }
      }.values())
    held.value?.send(1)
    #expect(resources.alive == 1)
    if fails { held.value?.fail(Oops()) } else { held.value?.complete() }
    // The signal retains the closure, which retains the token; the iteration retains neither.
    #expect(resources.alive == 0)
    stage.start { await iteration.finish() }
    #expect(iteration.values == [1])
  }

  private actor Ledger {
    private nonisolated let executor: SchedulerSerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    init(on scheduler: some Scheduler) { executor = SchedulerSerialExecutor(serial: scheduler) }

    func copy(_ values: AsyncValues<Int, Never>, to copies: Box<[Int]>) async {
      for await value in values { copies.value.append(value) }
    }
  }

  @Test("a loop in an actor takes buffered values without leaving the actor")
  func isolation() {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
    let (ledger, copies) = (Ledger(on: scheduler), Box<[Int]>([]))
    // Outside of the actor the task waits for the stage, which runs only to start and to resume it.
    stage.start { await ledger.copy(subject.startWith(0, 1, 2).values(), to: copies) }
    scheduler.runAll()
    #expect(copies.value == [0, 1, 2])
    for value in 3..<100 { subject.send(value) }
    stage.run()
    scheduler.runAll()
    #expect(copies.value.elementsEqual(0..<100))
    subject.complete()
    stage.run()
    scheduler.runAll()
    stage.run()
  }

  @Test("contract 5: a hundred thousand values, in a burst or one at a time, do not grow the stack")
  func constantStack() {
    let counts = Box((0, 0))
    withSmallStack {
      let (stage, subject) = (TaskStage(), Subject<Int, Never>())
      let iteration = Iteration(subject.values())
      for value in 0..<manyRounds { subject.send(value) }
      stage.start { await iteration.finish() }
      counts.value.0 = iteration.values.count
      for value in 0..<manyRounds {
        subject.send(value)
        stage.run()
      }
      subject.complete()
      stage.run()
      counts.value.1 = iteration.values.count
    }
    #expect(counts.value == (manyRounds, 2 * manyRounds))
  }

  @Test("next() traps with a message while another task waits in the same iterator")
  func twoTasks() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (stage, subject) = (TaskStage(), Subject<Int, Never>())
      let iteration = Iteration(subject.values())
      stage.start { await iteration.next() }
      stage.start { await iteration.next() }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("two tasks wait for the next value of one iterator"))
  }

  @Test("next() also traps for a cancelled task while another one waits, which would never be resumed")
  func secondTaskCancelled() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (stage, subject) = (TaskStage(), Subject<Int, Never>())
      let iteration = Iteration(subject.values())
      stage.start { await iteration.next() }
      stage.start {
        withUnsafeCurrentTask { $0?.cancel() }
        await iteration.next()
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("two tasks wait for the next value of one iterator"))
  }
}
