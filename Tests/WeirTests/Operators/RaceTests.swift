// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct RaceTests {
  private let signals = (0..<3).map { _ in Subject<Int, Oops>() }
  private let recorder: Recorder<Int, Oops>

  init() { recorder = Recorder(signals[0].race(with: signals[1], signals[2])) }

  @Test("race forwards only the first signal to send a value")
  func value() {
    signals[1].send(1)
    signals[0].send(2)
    signals[2].fail(Oops())
    signals[1].send(3)
    signals[1].complete()
    #expect(recorder.events == [.next(1), .next(3), .completed])
  }

  @Test("race takes a signal that cannot fail beside one that can", arguments: [false, true])
  func besideOneThatCannotFail(isFirst: Bool) {
    let ticks = Subject<Int, Never>()
    let recorder = Recorder(signals[0].race(with: ticks).map { $0 + 1 })
    if isFirst { ticks.send(10) }
    signals[0].fail(Oops(code: 3))
    ticks.send(20)
    ticks.complete()
    #expect(recorder.events == (isFirst ? [.next(11), .next(21), .completed] : [.failed(Oops(code: 3))]))
  }

  @Test("a completion or a failure also wins the race", arguments: [false, true])
  func terminal(fails: Bool) {
    if fails { signals[2].fail(Oops()) } else { signals[2].complete() }
    signals[0].send(1)
    #expect(recorder.events == [fails ? .failed(Oops()) : .completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test("the losers are disposed before the first value of the winner is delivered")
  func losers() {
    let log = Box<[String]>([])
    let held = Held<Never>(nil)
    let winner = Signal<Int, Never>.create { observer in
      held.value = observer
      return nil
    }
    let observers = Box<[Observer<Int, Never>]>([])
    let keeping = Signal<Int, Never>.create { observer in
      observers.value.append(observer)
      return ActionDisposable { log.value.append("disposed") }
    }
    keeping.race(with: winner).subscribe(next: { log.value.append("\($0)") })
    held.value?.send(1)
    held.value?.send(2)
    #expect(log.value == ["disposed", "1", "2"])
  }

  @Test("race runs no signal after one that wins on subscription; race of no signals completes")
  func synchronousWinner() {
    let runs = Counter()
    let later = Signal<Int, Never>.deferred {
      runs.add()
      return .just(9)
    }
    #expect(
      Recorder(Signal<Int, Never>([1, 2]).race(with: later)).events == [.next(1), .next(2), .completed])
    #expect(runs.value == 0)
    #expect(Recorder(Signal<Int, Never>.race([])).events == [.completed])
    let (near, far) = (Subject<Int, Never>(), Subject<Int, Never>())
    let race = Recorder(Signal.race(near, far, Signal.never()))
    far.send(1)
    near.send(2)
    #expect(race.values == [1])
    race.dispose()
  }

  @Test("flatten(.race): a later inner signal can win; after that, events of the source are ignored")
  func flattened() {
    let source = Subject<Signal<Int, Oops>, Oops>()
    let recorder = Recorder(source.flatten(.race))
    source.send(signals[0].signal)
    source.send(signals[1].signal)
    signals[1].send(1)
    source.send(.just(5))
    source.fail(Oops())
    signals[0].send(2)
    signals[1].send(3)
    #expect(recorder.events == [.next(1), .next(3)])
    signals[1].complete()
    #expect(recorder.completion == .completed)
  }

  @Test("flatten(.race): the first event of an inner signal disposes the source and the other inner signals")
  func overForTheSource() {
    let source = Subject<Signal<Int, Oops>, Oops>()
    let disposed = Box<[String]>([])
    func noting(_ name: String) -> @Sendable () -> Void { { disposed.value.append(name) } }
    let recorder = Recorder(source.on(disposed: noting("source")).flatten(.race))
    source.send(signals[0].signal.on(disposed: noting("loser")))
    source.send(signals[1].signal.on(disposed: noting("winner")))
    #expect(disposed.value.isEmpty)
    signals[1].send(1)
    #expect(disposed.value == ["source", "loser"])
    recorder.dispose()
    #expect(disposed.value == ["source", "loser", "winner"])
  }

  @Test(
    "flatten(.race): before there is a winner, a failure of the source ends the run, a completion does not",
    arguments: [false, true])
  func sourceEnds(fails: Bool) {
    let source = Subject<Signal<Int, Oops>, Oops>()
    let recorder = Recorder(source.flatten(.race))
    source.send(signals[0].signal)
    if fails { source.fail(Oops()) } else { source.complete() }
    #expect(recorder.completion == (fails ? .failed(Oops()) : nil))
    signals[0].send(4)
    #expect(recorder.values == (fails ? [] : [4]))
  }

  @Test(
    "flatten(.race): a source failure whose clean-up lets an inner signal win is reported, not delivered")
  func sourceFailsSecond() async {
    await #expect(processExitsWith: .success) {
      let reported = reports()
      let (source, first) = (Subject<Signal<Int, Oops>, Oops>(), Subject<Int, Oops>())
      let recorder = Recorder(source.on(disposed: { first.send(1) }).flatten(.race).named("whole"))
      source.send(first.signal)
      source.fail(Oops(code: 4))
      #expect(recorder.events == [.next(1)])
      #expect(reported.value == ["Oops(code: 4) whole"])
      first.send(2)
      first.fail(Oops(code: 5))
      #expect(recorder.events == [.next(1), .next(2), .failed(Oops(code: 5))])
      #expect(reported.value.count == 1)
    }
  }

  @Test(
    "a failure whose clean-up lets another signal win is reported, whether that one sends, completes or fails"
  )
  func contestantFailsSecond() async {
    await #expect(processExitsWith: .success) {
      let reported = reports()
      let acts: [(@Sendable (Subject<Int, Oops>) -> Void, [Event<Int, Oops>])] = [
        ({ $0.send(1) }, [.next(1)]), ({ $0.complete() }, [.completed]),
        ({ $0.fail(Oops(code: 7)) }, [.failed(Oops(code: 7))]),
      ]
      for (act, events) in acts {
        let (near, far) = (Subject<Int, Oops>(), Subject<Int, Oops>())
        let recorder = Recorder(near.on(disposed: { act(far) }).race(with: far))
        near.fail(Oops(code: 4))
        #expect(recorder.events == events)
        recorder.dispose()
      }
      #expect(reported.value == ["Oops(code: 4) ", "Oops(code: 4) ", "Oops(code: 4) "])
    }
  }

  @Test("flatten(.race): a source failure is reported when an inner signal wins before it on another thread")
  func sourceFailsBeside() async {
    await #expect(processExitsWith: .success) {
      let reported = reports()
      let (source, first) = (Subject<Signal<Int, Oops>, Oops>(), Subject<Int, Oops>())
      let (cleaning, hasWon) = (Door(), Door())
      let cleaned = source.on(disposed: {
        cleaning.open()
        hasWon.pass()
      })
      let recorder = Recorder(cleaned.flatten(.race))
      source.send(first.signal)
      withThreads(2) { index in
        if index == 0 { return source.fail(Oops(code: 4)) }
        cleaning.pass()
        first.send(1)
        hasWon.open()
      }
      first.send(2)
      #expect(recorder.events == [.next(1), .next(2)])
      #expect(reported.value == ["Oops(code: 4) "])
      recorder.dispose()
    }
  }

  @Test("the winner's events during the losers' clean-up follow the winning value; the losers' are dropped")
  func sentInCleanUp() {
    let (near, far, third) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Subject<Int, Oops>())
    let cleaned = near.on(disposed: {
      near.send(8)
      third.send(9)
      far.send(2)
      far.complete()
    })
    let recorder = Recorder(cleaned.race(with: far, third))
    far.send(1)
    #expect(recorder.events == [.next(1), .next(2), .completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test("a value that wins is not delivered if the losers' clean-up disposes the run")
  func disposedInCleanUp() {
    let run = Box<Subscription?>(nil)
    let values = Box<[Int]>([])
    let loser = signals[1].on(disposed: { run.value?.dispose() })
    run.value = signals[0].race(with: loser).subscribe(next: { values.value.append($0) }, failed: { _ in })
    signals[0].send(1)
    #expect(values.value == [])
  }

  @Test("disposal disposes the winner, or all signals when none has won yet", arguments: [false, true])
  func disposed(isDecided: Bool) {
    let gone = Counter()
    let recorder = Recorder(
      signals[0].on(disposed: { gone.add() }).race(with: signals[1].on(disposed: { gone.add() })))
    if isDecided { signals[0].send(1) }
    #expect(gone.value == (isDecided ? 1 : 0))
    recorder.dispose()
    #expect(gone.value == 2)
  }

  @Test("flatten(.race): inner signals that arrive while one wins on another thread are disposed")
  func lateEntries() {
    for _ in 0..<20 {
      let source = Subject<Signal<Int, Oops>, Oops>()
      let (first, late) = (Subject<Int, Oops>(), Subject<Int, Oops>())
      let (come, gone) = (Counter(), Counter())
      let watched = late.on(subscribed: { come.add() }, disposed: { gone.add() })
      let recorder = Recorder(source.flatten(.race))
      source.send(first.signal)
      withThreads(2) { index in
        if index == 1 { return first.send(1) }
        for _ in 0..<50 { source.send(watched) }
      }
      #expect(come.value == gone.value)
      late.send(3)
      first.send(2)
      #expect(recorder.values == [1, 2])
      recorder.dispose()
    }
  }

  @Test(
    "flatten(.race): inner signals that release their sink leave no memory behind, however many there are")
  func lettingGo() async {
    await #expect(processExitsWith: .success) {
      let source = Subject<Signal<Int, Oops>, Oops>()
      let recorder = Recorder(source.flatten(.race))
      let growth = allocatedGrowth { source.send(.never()) }
      #expect(growth < spareMemory)
      source.send(.just(1))
      #expect(recorder.events == [.next(1), .completed])
    }
  }
}

/// The errors reported from now on; only for a test in a process of its own.
private func reports() -> Box<[String]> {
  let reported = Box<[String]>([])
  UnhandledErrors.setHandler { reported.value.append("\($0.error) \($0.name ?? "")") }
  return reported
}
