// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Weir
import WeirTesting

/// Operators that run one signal several times.
struct RepeatingTests {
  /// A signal that counts its runs, sends the number of the run, and then ends with `end`.
  private func runs(_ counter: Counter, end: Completion<Oops>) -> Signal<Int, Oops> {
    .deferred {
      let run = counter.add()
      return Signal<Int, Oops>.just(run).concat(
        end == .completed ? Signal.empty() : Signal.fail(Oops(code: run)))
    }
  }

  @Test("AC40: retry(upTo: n) runs an always failing signal n + 1 times and forwards the last failure")
  func retry() {
    let count = Counter()
    let signal = runs(count, end: .failed(Oops())).retry(upTo: 2)
    #expect(Recorder(signal).events == [.next(0), .next(1), .next(2), .failed(Oops(code: 2))])
    #expect(count.value == 3)
    #expect(Recorder(signal).values == [3, 4, 5])
    #expect(Recorder(signal.retry(upTo: 0)).values == [6, 7, 8])
  }

  @Test("J3: when a subject fails, all attempts of a retry fail at once; when it completes, so do all rounds")
  func ended() {
    let (failing, completing) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let runs = Counter()
    let counted = { (subject: Subject<Int, Oops>) in subject.on(subscribed: { runs.add() }) }
    let retrying = Recorder(counted(failing).retry(upTo: 2))
    let repeating = Recorder(counted(completing).repeat(times: 3))
    for subject in [failing, completing] { subject.send(1) }
    #expect(runs.value == 2)
    failing.fail(Oops(code: 7))
    completing.complete()
    #expect(retrying.events == [.next(1), .failed(Oops(code: 7))])
    #expect(repeating.events == [.next(1), .completed])
    #expect(runs.value == 6)
  }

  @Test("F6: retry forwards a completion and does not run the signal again")
  func retryCompletes() {
    let count = Counter()
    #expect(Recorder(runs(count, end: .completed).retry()).events == [.next(0), .completed])
    #expect(count.value == 1)
  }

  @Test("AC38: repeat of a synchronous signal is stopped from downstream")
  func repeatTake() {
    let count = Counter()
    #expect(Recorder(runs(count, end: .completed).repeat().take(first: 1)).events == [.next(0), .completed])
    #expect(count.value == 1)
  }

  @Test("F6 AC39: repeat never completes; a failure ends it")
  func repeatFails() {
    let count = Counter()
    let signal = Signal<Int, Oops>.deferred {
      let run = count.add()
      return run < 3 ? .just(run) : .fail(Oops(code: run))
    }
    #expect(Recorder(signal.repeat()).events == [.next(0), .next(1), .next(2), .failed(Oops(code: 3))])
  }

  @Test("F2: a hundred thousand rounds of repeat and retry do not grow the stack")
  func depth() {
    let rounds = manyRounds
    let count = Counter()
    #expect(Recorder(runs(count, end: .completed).repeat().take(first: rounds).count()).values == [rounds])
    #expect(
      Recorder(runs(count, end: .failed(Oops())).retry().take(first: rounds).count()).values == [rounds])
  }

  @Test("repeat(times: n) runs the signal n times and completes with the last run; 0 runs nothing")
  func times() {
    let count = Counter()
    let signal = runs(count, end: .completed)
    #expect(Recorder(signal.repeat(times: 3)).events == [.next(0), .next(1), .next(2), .completed])
    #expect(Recorder(signal.repeat(times: 1)).events == [.next(3), .completed])
    #expect(Recorder(signal.repeat(times: 0)).events == [.completed])
    #expect(count.value == 4)
    #expect(
      Recorder(runs(count, end: .failed(Oops())).repeat(times: 3)).events == [
        .next(4), .failed(Oops(code: 4)),
      ])
  }

  @Test("repeat(times:) traps on a negative count")
  func negativeTimes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Signal<Int, Never>.never().repeat(times: -1)
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("weir: repeat(times: -1): the count must not be negative") == true)
  }

  @Test(
    "F1: each round of repeat runs on the thread that ended the previous one, and is stopped from downstream")
  func rounds() {
    let threads = Box<[pthread_t]>([])
    let signal = Signal<Int, Never>.deferred {
      threads.value.append(pthread_self())
      return Signal<Int, Never>(1...2)
    }
    let values = Recorder(signal.repeat().take(first: 5)).values
    #expect(values == [1, 2, 1, 2, 1])
    #expect(threads.value == [pthread_t](repeating: pthread_self(), count: 3))
    threads.value = []
    let source = Subject<Int, Never>()
    let subscription = Signal<Int, Never>.deferred {
      threads.value.append(pthread_self())
      return source.take(first: 1)
    }.repeat().subscribe()
    let sender = Box<pthread_t?>(nil)
    withThreads(1) { _ in
      sender.value = pthread_self()
      source.send(0)
    }
    subscription.dispose()
    #expect(threads.value == [pthread_self(), sender.value])
  }

  @Test(
    "F1 AC39: with subscribing(on:) each round is scheduled separately, and other work runs in between")
  func roundsOnScheduler() {
    let (scheduler, count, log) = (VirtualScheduler(), Counter(), Box<[String]>([]))
    let signal = Signal<Int, Oops>.deferred {
      let run = count.add()
      return run < 3 ? .just(run) : .fail(Oops(code: run))
    }
    signal.subscribing(on: scheduler).repeat().subscribe(
      next: { value in
        log.value.append("\(value)")
        scheduler.schedule { log.value.append("other work") }
      }, failed: { log.value.append("failed \($0.code)") }, completed: { log.value.append("completed") })
    #expect(log.value == [])
    scheduler.run()
    #expect(log.value == ["0", "other work", "1", "other work", "2", "other work", "failed 3"])
  }

  @Test(
    "F4: the next round of a synchronous signal starts after the code that ended the last one has returned")
  func notNested() {
    let log = Box<[String]>([])
    let count = Counter()
    let signal = Signal<Int, Oops>.create { observer in
      let run = count.add()
      log.value.append("begin \(run)")
      if run % 2 == 0 { observer.complete() } else { observer.fail(Oops()) }
      log.value.append("end \(run)")
      return nil
    }
    Recorder(signal.repeat().retry(upTo: 1)).dispose()
    #expect(log.value == (0..<4).flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test("F7 AC41: repeat and retry run a created signal that ends on subscription 100,000 times in a loop")
  func createdDepth() {
    let rounds = manyRounds
    let signal = Signal<Int, Oops>.create { observer in
      observer.send(1)
      observer.complete()
      return nil
    }
    #expect(Recorder(signal.repeat().take(first: rounds).count()).values == [rounds])
    let failing = Signal<Int, Oops>.create { observer in
      observer.send(1)
      observer.fail(Oops())
      return nil
    }
    #expect(Recorder(failing.retry().take(first: rounds).count()).values == [rounds])
  }

  @Test("F5: disposal during a delivery prevents the next round")
  func disposal() {
    let count = Counter()
    let slot = SerialDisposable()
    let source = Subject<Int, Oops>()
    let signal = Signal<Int, Oops>.deferred {
      count.add()
      return source.take(first: 1)
    }
    slot.swap(signal.repeat().subscribe(next: { if $0 == 2 { slot.dispose() } }, failed: { _ in }))
    source.send(1)
    source.send(2)
    source.send(3)
    #expect(count.value == 2)
  }

  @Test("contract 7: retry releases the error of an attempt once the next one has started")
  func errorReleased() {
    struct Failed: Error { let token: Resources.Resource }
    let (resources, held) = (Resources(), Held<Failed>(nil))
    let subscription = Signal<Int, Failed>.create { observer in
      held.value = observer
      return nil
    }.retry().subscribe(failed: { _ in })
    held.value?.fail(Failed(token: resources.make()))
    #expect(!subscription.isDisposed)
    #expect(resources.alive == 0)
    subscription.dispose()
  }

  @Test("F3: finished rounds of repeat retain nothing")
  func release() {
    let resources = Resources()
    let source = Subject<Int, Oops>()
    let subscription = Signal<Int, Oops>.deferred { [token = resources.make()] in
      source.take(first: 1).doNext { [inner = resources.make()] _ in _ = (token, inner) }
    }.repeat().subscribe(failed: { _ in })
    for value in 0..<100 { source.send(value) }
    #expect(resources.alive <= 3)
    subscription.dispose()
    #expect(resources.alive == 0)
  }
}
