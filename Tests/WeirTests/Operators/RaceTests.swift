// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct RaceTests {
  private let signals = (0..<3).map { _ in Subject<Int, Oops>() }
  private let recorder: Recorder<Int, Oops>

  init() { recorder = Recorder(signals[0].race(with: signals[1], signals[2])) }

  @Test("the first to send a value goes on alone")
  func value() {
    signals[1].send(1)
    signals[0].send(2)
    signals[2].fail(Oops())
    signals[1].send(3)
    signals[1].complete()
    #expect(recorder.events == [.next(1), .next(3), .completed])
  }

  @Test("a completion wins as well, and so does a failure", arguments: [false, true])
  func terminal(fails: Bool) {
    if fails { signals[2].fail(Oops()) } else { signals[2].complete() }
    signals[0].send(1)
    #expect(recorder.events == [fails ? .failed(Oops()) : .completed])
    #expect(recorder.subscription?.isDisposed == true)
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

  @Test("signals after one that has won at once are not run; of none, it completes")
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

  @Test("flatten(.race): later signals may still win; the source is ended by the winner")
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
    #expect(recorder.completion == .finished)
  }

  @Test("flatten(.race): the source's own end, before there is a winner", arguments: [false, true])
  func sourceEnds(fails: Bool) {
    let source = Subject<Signal<Int, Oops>, Oops>()
    let recorder = Recorder(source.flatten(.race))
    source.send(signals[0].signal)
    if fails { source.fail(Oops()) } else { source.complete() }
    #expect(recorder.completion == (fails ? .failed(Oops()) : nil))
    signals[0].send(4)
    #expect(recorder.values == (fails ? [] : [4]))
  }
}
