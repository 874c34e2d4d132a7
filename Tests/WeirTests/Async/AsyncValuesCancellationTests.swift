// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// Nothing is retained once nobody requests values any more.
struct AsyncValuesCancellationTests {
  private let stage = TaskStage()
  private let resources = Resources()
  private let disposals = Counter()
  private let subject = Subject<Payload, Never>()

  private func iteration() -> Iteration<Payload, Never> {
    Iteration(subject.signal.on(disposed: { [disposals] in disposals.add() }).values())
  }

  private func send(_ count: Int) { for _ in 0..<count { subject.send(resources.make()) } }

  private func expectEnded(
    _ iteration: Iteration<Payload, Never>, after count: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(disposals.value == 1, sourceLocation: sourceLocation)
    #expect(iteration.values.count == count, sourceLocation: sourceLocation)
    #expect(iteration.events.last?.completion == .completed, sourceLocation: sourceLocation)
    // The test retains those that were received.
    #expect(resources.alive == count, sourceLocation: sourceLocation)
    send(3)
    #expect(resources.alive == count, sourceLocation: sourceLocation)
    stage.start { await iteration.next() }
    #expect(iteration.events.last?.completion == .completed, sourceLocation: sourceLocation)
  }

  @Test(
    "contract 7: a task cancelled before its first next() gets nil; source and buffered values are released")
  func before() {
    let iteration = iteration()
    send(5)
    stage.start {
      withUnsafeCurrentTask { $0?.cancel() }
      await iteration.finish()
    }
    expectEnded(iteration, after: 0)
  }

  @Test(
    "a suspended task resumes at once when cancelled; the source is stopped before `cancel()` returns")
  func suspended() {
    let iteration = iteration()
    let task = stage.start { await iteration.finish() }
    #expect(subject.subscriberCount == 1)
    task.cancel()
    #expect(subject.subscriberCount == 0 && disposals.value == 0)
    // One piece of work resumes the task; there is no second one.
    stage.scheduler.runOne()
    expectEnded(iteration, after: 0)
  }

  @Test(
    "contract 2: a cancelled task on the immediate scheduler resumes on a thread other than that of `cancel()`"
  )
  func immediate() async {
    let (values, place) = (subject.values(), Counter())
    let task = Task(executorPreference: SchedulerTaskExecutor(.immediate)) {
      for await _ in values {}
      place.add(Int(weir_thread()))
    }
    let canceller = Int(weir_thread())
    task.cancel()
    await task.value
    #expect(place.value != canceller)
  }

  @Test("cancelling a task that is resumed but does not run yet stops the source; the task does the rest")
  func scheduled() {
    let iteration = iteration()
    let task = stage.start { await iteration.finish() }
    send(3)
    task.cancel()
    #expect(disposals.value == 0 && resources.alive == 3 && subject.subscriberCount == 0)
    stage.scheduler.runOne()
    expectEnded(iteration, after: 0)
  }

  /// A suspended task that is cancelled by another thread in the middle of being resumed.
  private struct Cancelled: Sleeper {
    let cancel: @Sendable () -> Void
    func resume() { cancel() }
  }

  @Test("a send that resumes a task which is being cancelled does not wait for the clean-ups of the run")
  func resumedWhileCancelled() {
    typealias Inbox = AwaitedInbox<Payload, Never, Cancelled>
    let (inbox, source) = (Inbox(waiting: .unbounded), Subject<Payload, Never>())
    inbox.listen(to: source.on(disposed: { [disposals] in disposals.add() }))
    guard case .none(let tail) = inbox.look() else { return _ = Issue.record("there is a value") }
    inbox.suspend(Cancelled(cancel: { [unowned inbox] in inbox.cancel() }), after: tail)
    source.send(resources.make())
    // `cancel()` is over, which held a lock of the task that resuming it needs.
    #expect(disposals.value == 0)
    inbox.becomeConsumer()
    guard case .over = inbox.look() else { return _ = Issue.record("it is not over") }
    #expect(inbox.end() == false)
    #expect(disposals.value == 1 && resources.alive == 0)
  }

  @Test("a value that comes after the cancellation is released by the task, a later one by who sends it")
  func lateValue() {
    let inbox = AwaitedInbox<Payload, Never, Cancelled>(waiting: .unbounded)
    guard case .none(let tail) = inbox.look() else { return _ = Issue.record("there is a value") }
    inbox.suspend(Cancelled(cancel: {}), after: tail)
    inbox.cancel()
    func send() { if inbox.append(resources.make()) { inbox.wake() } }
    send()
    #expect(resources.alive == 1)
    inbox.becomeConsumer()
    #expect(inbox.end() == false)
    #expect(resources.alive == 0)
    send()
    #expect(resources.alive == 0)
  }

  @Test("a task cancelled while values are buffered gets nil next; source and buffered values are released")
  func midway() {
    let iteration = iteration()
    send(10)
    stage.start {
      await iteration.next()
      await iteration.next()
      withUnsafeCurrentTask { $0?.cancel() }
      await iteration.next()
    }
    expectEnded(iteration, after: 2)
  }

  @Test("leaving the loop disposes the subscription and releases the buffered values")
  func leaving() async {
    var values = 0
    do {
      let signal = Signal<Payload, Never>.attaching { [subject, resources] sink in
        subject.attach(sink)
        for _ in 0..<10 { subject.send(resources.make()) }
      }
      for await _ in signal.on(disposed: { [disposals] in disposals.add() }).values() {
        values += 1
        if values == 3 { break }
      }
    }
    send(10)
    #expect(values == 3 && disposals.value == 1 && resources.alive == 0)
  }

  @Test(
    "releasing an iterator disposes its subscription and releases the buffered values", arguments: [0, 1, 10])
  func dropped(taken: Int) {
    let iteration = iteration()
    send(10)
    stage.start { for _ in 0..<taken { await iteration.next() } }
    #expect(disposals.value == 0 && resources.alive == 10)
    iteration.leave()
    #expect(disposals.value == 1 && resources.alive == taken)
    send(1)
    #expect(resources.alive == taken)
  }

  @Test("values that a source sends although it is disposed are dropped at once")
  func keptSink() {
    let sink = Box<Sink<Payload, Never>?>(nil)
    let iteration = Iteration(Signal<Payload, Never>.attaching { sink.value = $0 }.values())
    let task = stage.start { await iteration.finish() }
    sink.value?.next(resources.make())
    stage.run()
    #expect(resources.alive == 1)
    task.cancel()
    stage.run()
    for _ in 0..<100 { sink.value?.next(resources.make()) }
    #expect(resources.alive == 1)
    sink.value?.terminate(.completed)
    sink.value = nil
    #expect(iteration.events.count == 2)
  }

  /// A failure that is counted.
  private struct Loss: Error {
    let token: Payload
  }

  @Test(
    "contract 7: cancelling the task releases a buffered failure although the iterator is retained",
    arguments: [0, 1])
  func waitingFailure(taken: Int) {
    let iteration = Iteration(
      Signal<Int, Loss>.attaching { [resources] sink in
        sink.next(1)
        sink.terminate(.failed(Loss(token: resources.make())))
      }.values())
    stage.start {
      for _ in 0..<taken { await iteration.next() }
      withUnsafeCurrentTask { $0?.cancel() }
      await iteration.next()
    }
    withExtendedLifetime(iteration) {
      #expect(iteration.events.count == taken + 1 && resources.alive == 0)
    }
  }

  @Test(
    "contract 7: a task that a failure has resumed, and that is cancelled before it runs, releases the failure"
  )
  func failureBeforeCancellation() {
    let sink = Box<Sink<Int, Loss>?>(nil)
    let iteration = Iteration(Signal<Int, Loss>.attaching { sink.value = $0 }.values())
    let task = stage.start { await iteration.finish() }
    sink.value?.terminate(.failed(Loss(token: resources.make())))
    #expect(resources.alive == 1)
    task.cancel()
    #expect(resources.alive == 1)
    sink.value = nil
    stage.run()
    #expect(iteration.events.map { $0.completion?.isCompleted } == [true] && resources.alive == 0)
  }

  @Test("next() throws a buffered failure, and then returns nil to a task cancelled after that")
  func endedFirst() {
    let iteration = Iteration(Signal<Int, Oops>.fail(Oops(code: 2)).values())
    stage.start {
      await iteration.next()
      withUnsafeCurrentTask { $0?.cancel() }
      await iteration.next()
    }
    #expect(iteration.events == [.failed(Oops(code: 2)), .completed])
  }
}
