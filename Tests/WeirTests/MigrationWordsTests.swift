// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md gives for names of other reactive libraries, in compositions of a line or two.
struct MigrationWordsTests {
  private struct TooLate: Error, Equatable {}
  private let scheduler = VirtualScheduler()

  @Test(
    "firstTimeout: only the first event has to come in time",
    arguments: [
      ("--1-----2---|", "--1-----2---|"), ("------1-|", "---#"), ("--|", "--|"), ("--#", "--#"),
      ("1--------|", "1--------|"),
    ])
  func firstTimeout(source: String, expected: String) throws {
    let source = try ColdSignal<Int, TestFailure>(source, on: scheduler)
    let recorder = TimedRecorder(
      source.race(with: .fail(TestFailure()).delaySubscription(.seconds(3), on: scheduler)), on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: expected) == nil)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("exhaustMap that runs once more, with the newest of the values that came meanwhile")
  func onceMore() throws {
    let changes = try HotSignal<Int, Never>("1234-----------5|", on: scheduler)
    let scheduler = self.scheduler
    let save = { @Sendable (value: Int) in Signal<Int, Never>.just(value).delay(.seconds(5), on: scheduler) }
    let saved = TimedRecorder(
      changes.flatMap(.concat(waiting: .bounded(1, onOverflow: .dropOldest))) { save($0) }, on: scheduler)
    scheduler.run()
    #expect(saved.difference(from: "-----1----4---------(5|)") == nil)
  }

  @Test("Promise.any: the first success wins, others are disposed; without any the first error is passed on")
  func firstSuccess() {
    let requests = (0..<3).map { _ in Subject<Int, any Error>() }
    func ask() -> Recorder<Int, any Error> {
      Recorder(MigrationTests().mergeDelayingErrors(requests.map(\.signal)).take(first: 1))
    }
    let (winning, losing) = (ask(), Subject<Int, any Error>())
    requests[0].fail(Oops(code: 1))
    #expect(winning.events.isEmpty)
    requests[2].send(7)
    requests[1].send(8)
    #expect(winning.values == [7] && winning.completion != nil)
    #expect(requests.allSatisfy { $0.subscriberCount == 0 })

    let failing = Recorder(
      MigrationTests().mergeDelayingErrors([.empty(), losing.signal, .fail(Oops(code: 2))]).take(first: 1))
    losing.fail(Oops(code: 3))
    #expect(failing.values.isEmpty && failing.completion?.error as? Oops == Oops(code: 2))
  }

  @Test("a hedged request: the second one is asked only if the first has not answered in time")
  func hedged() {
    let (asked, scheduler) = (Counter(), scheduler)
    func answer(after seconds: Int) -> Signal<Int, any Error> {
      Signal<Int, any Error>.just(seconds).delay(.seconds(seconds), on: scheduler).initially { asked.add() }
    }
    func ask(_ near: Signal<Int, any Error>, _ far: Signal<Int, any Error>) -> Recorder<Int, any Error> {
      Recorder(
        MigrationTests().mergeDelayingErrors([near, far.delaySubscription(.seconds(2), on: scheduler)])
          .take(first: 1))
    }
    let quick = ask(answer(after: 1), answer(after: 1))
    scheduler.run()
    #expect(quick.values == [1] && asked.value == 1)
    let slow = ask(answer(after: 9), answer(after: 3))
    scheduler.run()
    #expect(slow.values == [3] && asked.value == 3 && scheduler.waitingCount == 0)
  }

  @Test("distinct within a time: an identifier passes again when its time is over")
  func distinctWithinTime() throws {
    let ids = try HotSignal<Int, Never>("112-1-1--1|", on: scheduler)
    let scheduler = self.scheduler
    let once = TimedRecorder(
      ids.group(by: { $0 }, lifetime: .until { _ in .timer(after: .seconds(5), on: scheduler) })
        .flatMap { $0.take(first: 1) }, on: scheduler)
    scheduler.run()
    #expect(once.difference(from: "1-2---1---|") == nil)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("fromCallable on a pool of its own: blocking calls run side by side, their results are in order")
  func blockingCalls() async throws {
    let door = Door()
    let blocking = WorkerPool(threads: 2, name: "blocking")
    let read = { @Sendable (id: Int) throws -> Int in
      if id == 9 { throw Oops(code: 9) }
      if id == 0 { door.pass() } else { door.open() }
      return id * 10
    }
    let results = Signal<Int, any Error>([0, 1, 2]).flatMap(.ordered(limit: 2)) { id in
      Signal(catching: { try read(id) }).subscribing(on: blocking)
    }
    #expect(try await results.allValues() == [0, 10, 20])
    await #expect(throws: Oops(code: 9)) {
      try await Signal(catching: { try read(9) }).subscribing(on: blocking).firstValue()
    }
    await blocking.shutdown(within: .seconds(3_600))
  }

  @Test("switchOnFirst: the first value decides what is done with the others", arguments: [false, true])
  func header(isHot: Bool) {
    let subject = Subject<Int, Oops>()
    let frames = isHot ? subject.signal : Signal<Int, Oops>([10, 1, 2])
    let body = { @Sendable (header: Int, rest: Signal<Int, Oops>) in rest.map { header + $0 } }
    let bodies = Recorder(
      frames.group(by: { _ in 0 }).flatMap { all in
        all.take(first: 1).flatMap { header in body(header, all.signal) }
      })
    for value in [10, 1, 2] { subject.send(value) }
    subject.complete()
    #expect(bodies.events == [.next(11), .next(12), .completed])
  }

  @Test("switchOnFirst: a failure is passed on once, and nothing is left")
  func failingHeader() {
    let frames = Subject<Int, Oops>()
    let bodies = Recorder(
      frames.group(by: { _ in 0 }).flatMap { all in
        all.take(first: 1).flatMap { header in all.map { header + $0 } }
      })
    frames.send(10)
    frames.fail(Oops())
    #expect(bodies.events == [.failed(Oops())])
    #expect(frames.subscriberCount == 0)
  }

  @Test("withLatestFrom that waits for the first value: what came before it gets that one")
  func waitingForLatest() {
    let (clicks, config) = (Subject<String, Never>(), Subject<Int, Never>())
    let latest = config.replayLast()
    let pairs = Recorder(
      clicks.flatMap(.concat) { click in latest.take(first: 1).map { (click, $0) } }.map { "\($0)\($1)" })
    for click in ["a", "b"] { clicks.send(click) }
    #expect(pairs.values.isEmpty)
    config.send(1)
    clicks.send("c")
    config.send(2)
    clicks.send("d")
    clicks.complete()
    #expect(pairs.events == [.next("a1"), .next("b1"), .next("c1"), .next("d2"), .completed])
    // It is subscribed by `replayLast`, until it ends.
    #expect(config.subscriberCount == 1)
  }

  @Test("cancelling a command: a subject ends its work, and disposing the execution does not")
  func cancelled() {
    let (work, stop) = (Subject<Int, Never>(), Subject<Void, Never>())
    let load = Command { (_: Int) in work.take(until: stop) }
    let execution = Recorder(load.execute(1))
    execution.dispose()
    #expect(load.isExecuting && work.subscriberCount == 1)
    stop.send()
    #expect(!load.isExecuting && work.subscriberCount == 0)
    let second = Recorder(load.execute(2))
    stop.send()
    #expect(second.events.count == 1 && second.completion != nil && !load.isExecuting)
  }

  @Test("cancelling the task that waits for a command: it throws, and the work goes on")
  func cancelledTask() async throws {
    let work = Subject<Int, Never>()
    let load = Command { (_: Int) in work.signal }
    let waiting = Task { try await load.run(1) }
    while work.subscriberCount == 0 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CommandError<Int, Int, Never>.self) { try await waiting.value }
    #expect(load.isExecuting && work.subscriberCount == 1)
    work.complete()
    #expect(!load.isExecuting)
  }

  @Test("forkJoin: the last values when all have completed; nothing if one has none; the first failure")
  func forkJoin() {
    let (a, b) = (Subject<Int, Oops>(), Subject<String, Oops>())
    func join() -> Recorder<String, Oops> {
      Recorder(a.take(last: 1).zip(with: b.take(last: 1)).map { "\($0)\($1)" })
    }
    let joined = join()
    a.send(1)
    a.send(2)
    b.send("b")
    a.complete()
    #expect(joined.events.isEmpty)
    b.complete()
    #expect(joined.events == [.next("2b"), .completed])
    let none = Recorder(a.take(last: 1).zip(with: Signal<Int, Oops>.empty().take(last: 1)))
    #expect(none.values.isEmpty && none.completion == .completed)
    let others = (0..<2).map { _ in Subject<Int, Oops>() }
    let failing = Recorder(Signal.zip(others.map { $0.take(last: 1) }))
    others[0].send(1)
    others[1].fail(Oops())
    #expect(failing.events == [.failed(Oops())] && others[0].subscriberCount == 0)
  }

  @Test("shareReplay: one run for ever, its history also after its end; with refCount another run then")
  func shareReplay() {
    let runs = Counter()
    let source = Signal<Int, Never>([1, 2, 3]).initially { runs.add() }
    let kept = source.share(replay: .last(2), lifetime: .forever, disconnecting: .never)
    let counted = source.share(replay: .last(2))
    #expect(Recorder(kept).values == [1, 2, 3])
    #expect(Recorder(kept).values == [2, 3] && runs.value == 1)
    #expect(Recorder(counted).values == [1, 2, 3])
    #expect(Recorder(counted).values == [1, 2, 3] && runs.value == 3)

    let hot = Subject<Int, Never>()
    let (lasting, leaving) = (
      hot.share(replay: .last(1), lifetime: .forever, disconnecting: .never), hot.share(replay: .last(1))
    )
    for signal in [lasting, leaving] { Recorder(signal).dispose() }
    #expect(hot.subscriberCount == 1)
  }
}
