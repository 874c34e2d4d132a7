// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The examples of the article on the test kit, so that they compile and do what they say.
struct TestKitArticleTests {
  @Test("article on the test kit: virtual time, and a task that sleeps in it")
  func time() async throws {
    let scheduler = VirtualScheduler()
    let fired = Counter()
    scheduler.schedule(after: .seconds(3600)) { fired.add() }
    scheduler.advance(by: .seconds(3599))
    #expect(fired.value == 0)
    scheduler.advance(by: .seconds(1))
    #expect(fired.value == 1)

    let task = Task { try await scheduler.clock.sleep(for: .seconds(60)) }
    await scheduler.clock.waitForSleepers(1)
    scheduler.advance(by: .seconds(60))
    try await task.value
  }

  @Test("article on the test kit: a virtual scheduler is serial; timers of a serial one on it take real time")
  func serial() {
    let scheduler = VirtualScheduler()
    let (fired, never) = (Counter(), SerialScheduler(on: scheduler))
    let timer = never.schedule(after: .seconds(3600)) { fired.add() }
    let serial: any TimedScheduler = scheduler
    serial.schedule(after: .seconds(3600)) { fired.add() }
    #expect(scheduler.waitingCount == 1)
    scheduler.advance(by: .seconds(7200))
    #expect(fired.value == 1 && !timer.isDisposed)
    timer.dispose()
  }

  @Test("article on the test kit: a signal of a task in virtual time")
  func task() {
    let scheduler = VirtualScheduler()
    let clock = scheduler.clock
    let executor = SchedulerTaskExecutor(scheduler)
    let answers = Signal<Int, any Error>.task(executorPreference: executor) {
      try await clock.sleep(for: .seconds(2))
      return 7
    }
    let recorder = TimedRecorder(answers, on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "--(7|)") == nil)
  }

  @Test("article on the test kit: a task that waits for a signal in virtual time")
  func waitingTask() async {
    let scheduler = VirtualScheduler()
    let signal = Signal<Int, Never>.just(7).delay(.seconds(60), on: scheduler)
    let task = Task(executorPreference: SchedulerTaskExecutor(scheduler)) { await signal.firstValue() }
    scheduler.run()
    #expect(await task.value == 7)
  }

  private actor Account {
    private(set) var total = 0

    func listen(to amounts: Signal<Int, Never>, on scheduler: SerialScheduler) -> Subscription {
      amounts.observe(on: scheduler).subscribe { amount in self.assumeIsolated { $0.total += amount } }
    }
  }

  @Test("article on the test kit: what is delivered in an actor has arrived when later work has run there")
  func actor() async {
    let (account, amounts) = (Account(), Subject<Int, Never>())
    let scheduler = SerialScheduler(isolatedTo: account)
    let subscription = await account.listen(to: amounts.signal, on: scheduler)
    amounts.send(5)
    await withCheckedContinuation { done in scheduler.schedule { done.resume() } }
    #expect(await account.total == 5)
    subscription.dispose()
  }

  @Test("article on the test kit: marbles, and the description of a difference")
  func marbles() throws {
    let scheduler = VirtualScheduler()
    let left = try HotSignal<Int, Never>("-1---3-|", on: scheduler)
    let right = try HotSignal<Int, Never>("---2--|", on: scheduler)
    let recorder = TimedRecorder(left.merge(with: right), on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "-1-2-3-|") == nil)
    #expect(
      recorder.difference(from: "-1--23-|")?.description == """
        not what was expected, from 3.0 seconds on
        expected: -1--23-|
        actual:   -1-2-3-|
                     ^
        """)
  }

  @Test("article on the test kit: values and subscription intervals")
  func sources() throws {
    let scheduler = VirtualScheduler()
    let ages = try HotSignal<Int, Never>("-a-b-|", on: scheduler, values: ["a": 17, "b": 40])
    let adults = TimedRecorder(ages.map { $0 >= 18 }, on: scheduler)
    let request = try ColdSignal<Int, TestFailure>("--#", on: scheduler)
    let recorder = TimedRecorder(request.retry(upTo: 1), on: scheduler)
    scheduler.run()
    #expect(adults.difference(from: "-f-t-|") == nil)
    #expect(recorder.difference(from: "----#") == nil)
    #expect(request.subscriptionMarbles() == ["^-!", "--^-!"])
  }

  @Test("article on the test kit: the parts of a recording, and a recorder without a scheduler")
  func parts() {
    let scheduler = VirtualScheduler()
    let timed = TimedRecorder(Signal<Int, Never>.just(3).delay(.seconds(1), on: scheduler), on: scheduler)
    scheduler.run()
    #expect((timed.values, timed.completion) == ([3], .completed))
    #expect(timed.events == [.init(.seconds(1), .next(3)), .init(.seconds(1), .completed)])

    let orders = Subject<Int, TestFailure>()
    let recorder = Recorder(orders.map { $0 * 2 })
    orders.send(4)
    orders.fail(TestFailure())
    #expect(recorder.values == [8])
    #expect(recorder.completion == .failed(TestFailure()))
  }

  @Test("article on the test kit: waiting for what comes on other threads")
  func waiting() async {
    let recorder = Recorder(Signal<Int, Never>(1...3).observe(on: .pool))
    await recorder.waitForEnd()
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("article on the test kit: a race table, and a grammar checker")
  func races() {
    let table = RaceTable(
      setup: { (set: CompoundDisposable(), disposals: Counter()) },
      race: [
        { it in it.set.add(ActionDisposable { it.disposals.add() }) },
        { it in it.set.dispose() },
      ],
      outcome: { it in it.disposals.value },
      allowed: [.init(1, because: "added before or after, it is disposed once")])
    #expect(table.run().problem == nil)

    let subject = Subject<Int, Never>()
    let grammar = Grammar<Int, Never>()
    let subscription = grammar.subscribe(to: subject)
    withThreads(3) { index in
      if index == 2 { grammar.dispose(subscription) } else { for number in 0..<100 { subject.send(number) } }
    }
    #expect(grammar.problem == nil)
  }

  private struct Switch: SequentialModel {
    enum Step: Sendable { case turnedOn, wasOn(Bool) }
    var isOn = false

    func states(after step: Step) -> [Switch] {
      switch step {
      case .turnedOn: [Switch(isOn: true)]
      case .wasOn(let answer): answer == isOn ? [self] : []
      }
    }
  }

  @Test("article on the test kit: a history")
  func histories() {
    let recorder = HistoryRecorder<Switch.Step>(threads: 3)
    let disposable = ActionDisposable {}
    withThreads(3) { thread in
      recorder.record(on: thread) {
        if thread > 0 { return .wasOn(disposable.isDisposed) }
        disposable.dispose()
        return .turnedOn
      }
    }
    #expect(recorder.history.problem(with: Switch()) == nil)
  }

  @Test("article on the test kit: findLeaks")
  func leaks() {
    let problem = findLeaks { resources in
      let subject = resources.follow(Subject<Int, Never>())
      let subscription = subject.subscribe { [token = resources.make()] _ in _ = token }
      subscription.dispose()
    }
    #expect(problem == nil)
  }
}
