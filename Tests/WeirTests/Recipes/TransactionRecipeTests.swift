// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of work that is committed or rolled back.
struct TransactionRecipeTests {
  private let scheduler = VirtualScheduler()
  private let log = Box<[String]>([])
  private let work = Subject<Int, any Error>()

  /// Begins after a second; a commit or rollback takes one, too.
  private func transaction(
    committing: Signal<Void, any Error> = .empty(), rollingBack: Signal<Void, any Error> = .empty()
  ) -> Signal<Int, any Error> {
    let (log, work) = (log, work)
    return Recipes().inTransaction(
      step("begin", .just("c")), commit: { self.step("commit \($0)", committing) },
      rollback: { self.step("rollback \($0)", rollingBack) },
      work: { _ in work.on(disposed: { log.value.append("work cleaned up") }) })
  }

  private func step<Value>(_ name: String, _ end: Signal<Value, any Error>) -> Signal<Value, any Error> {
    let log = log
    return Signal<Void, any Error>.just(()).delay(.seconds(1), on: scheduler)
      .initially { log.value.append(name) }
      .doNext { log.value.append("done") }
      .flatMap { end }
  }

  private func error(_ recorder: Recorder<Int, any Error>) -> Oops? {
    if case .failed(let error) = recorder.completion { error as? Oops } else { nil }
  }

  @Test("work that completes is cleaned up and committed, and then the result completes")
  func committed() {
    let recorder = Recorder(transaction())
    scheduler.run()
    work.send(1)
    work.complete()
    #expect(log.value == ["begin", "done", "work cleaned up", "commit c"])
    #expect(recorder.values == [1] && recorder.completion == nil)
    scheduler.run()
    #expect(log.value.last == "done" && recorder.completion != nil && error(recorder) == nil)
    recorder.dispose()
    #expect(log.value.count == 5)
  }

  @Test("work that fails is cleaned up and rolled back, and then the result fails")
  func failed() {
    let recorder = Recorder(transaction())
    scheduler.run()
    work.fail(Oops(code: 1))
    #expect(log.value == ["begin", "done", "work cleaned up", "rollback c"] && recorder.completion == nil)
    scheduler.run()
    #expect(log.value.last == "done" && log.value.count == 5 && error(recorder) == Oops(code: 1))
  }

  @Test("work that is disposed is cleaned up and rolled back, also by a take behind it")
  func disposed() {
    let recorder = Recorder(transaction().take(first: 1))
    scheduler.run()
    work.send(1)
    #expect(recorder.completion != nil)
    scheduler.run()
    #expect(log.value == ["begin", "done", "work cleaned up", "rollback c", "done"])
    #expect(work.subscriberCount == 0)
  }

  @Test("what is disposed before it has begun is rolled back as soon as it has, and does no work")
  func disposedEarly() {
    Recorder(transaction()).dispose()
    #expect(log.value == ["begin"])
    scheduler.run()
    #expect(log.value == ["begin", "done", "rollback c", "done"])
  }

  @Test("a run that is disposed while it is being subscribed is rolled back, too")
  func disposedInside() {
    let (log, stop) = (log, Subject<Void, Never>())
    let begin = Signal<Int, any Error>.deferred {
      stop.send()
      return .just(1)
    }
    let transaction = Recipes().inTransaction(
      begin, commit: { _ in .fail(Oops()) },
      rollback: {
        log.value.append("rollback \($0)")
        return .empty()
      },
      work: { _ in Signal<Int, any Error>.fail(Oops()) })
    Recorder(transaction.take(until: stop)).dispose()
    #expect(log.value == ["rollback 1"])
  }

  @Test("a commit or rollback that is under way goes on when the run is disposed", arguments: [false, true])
  func disposedLate(isFailing: Bool) {
    let recorder = Recorder(transaction())
    scheduler.run()
    if isFailing { work.fail(Oops()) } else { work.complete() }
    recorder.dispose()
    scheduler.run()
    let step = isFailing ? "rollback c" : "commit c"
    #expect(log.value == ["begin", "done", "work cleaned up", step, "done"])
  }

  @Test("a commit that fails is passed on and not rolled back; a rollback that fails replaces the error")
  func failing() {
    let committing = Recorder(transaction(committing: .fail(Oops(code: 2))))
    scheduler.run()
    work.complete()
    scheduler.run()
    #expect(log.value.suffix(2) == ["commit c", "done"] && error(committing) == Oops(code: 2))

    let rollingBack = Recorder(
      Recipes().inTransaction(
        .just(1), commit: { _ in .empty() }, rollback: { _ in .fail(Oops(code: 3)) },
        work: { _ in Signal<Int, any Error>.fail(Oops(code: 4)) }))
    #expect(error(rollingBack) == Oops(code: 3))
  }

  @Test("what does not begin is neither committed nor rolled back: an error is passed on, and a completion")
  func notBegun() {
    let others = Counter()
    let other = Signal<Void, any Error>.empty().initially { others.add() }
    func run(_ begin: Signal<Int, any Error>) -> Recorder<Int, any Error> {
      Recorder(
        Recipes().inTransaction(
          begin, commit: { _ in other }, rollback: { _ in other },
          work: { .just($0).merge(with: other.then { .empty() }) }))
    }
    #expect(error(run(.fail(Oops(code: 5)))) == Oops(code: 5))
    let empty = run(.empty())
    #expect(empty.values.isEmpty && empty.completion != nil && error(empty) == nil)
    let late = Subject<Int, any Error>()
    run(late.signal).dispose()
    late.fail(Oops())
    #expect(others.value == 0 && late.subscriberCount == 0)
  }

  @Test("with an end on one thread and disposal on another, either is run, once, after the work's clean-up")
  func threads() {
    let (commits, rollbacks, early) = (Counter(), Counter(), Counter())
    for round in 0..<500 {
      let (begin, work) = (Subject<Int, any Error>(), Subject<Int, any Error>())
      let ending = { @Sendable (counter: Counter) in
        Signal<Void, any Error>.deferred {
          if work.subscriberCount > 0 { early.add() }
          counter.add()
          return .empty()
        }
      }
      let recorder = Recorder(
        Recipes().inTransaction(
          begin.signal, commit: { _ in ending(commits) }, rollback: { _ in ending(rollbacks) },
          work: { _ in work.signal }))
      withThreads(2) { thread in
        if thread == 1 { return recorder.dispose() }
        begin.send(1)
        if round % 2 == 0 { work.complete() } else { work.fail(Oops()) }
      }
      #expect(commits.value + rollbacks.value == round + 1)
    }
    #expect(early.value == 0)
  }
}
