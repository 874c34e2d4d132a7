// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// concat and startWith: one after the other.
struct ConcatTests {
  @Test("concat starts the second signal only when the first has completed")
  func order() {
    let first = Subject<Int, Never>()
    let runs = Counter()
    let second = Signal<Int, Never>.deferred {
      runs.add()
      return Signal<Int, Never>([3, 4])
    }
    let recorder = Recorder(first.concat(second))
    let whole = Recorder(Signal.concat(first, Signal.just(2), Signal([3, 4])))
    first.send(1)
    #expect(runs.value == 0)
    first.complete()
    #expect(runs.value == 1)
    #expect(recorder.events == [.next(1), .next(3), .next(4), .completed])
    #expect(whole.events == [.next(1), .next(2), .next(3), .next(4), .completed])
  }

  @Test("concat fails when one of its signals fails, and later ones do not run", arguments: [0, 1])
  func failure(position: Int) {
    let runs = Counter()
    var signals = [Signal<Int, Oops>]()
    for index in 0..<3 {
      signals.append(
        .deferred {
          runs.add()
          return index == position ? Signal.fail(Oops(code: index)) : .just(index)
        })
    }
    let expected = (0..<position).map { Event<Int, Oops>.next($0) } + [.failed(Oops(code: position))]
    #expect(Recorder(Signal.concat(signals)).events == expected)
    #expect(runs.value == position + 1)
  }

  @Test("concat of no signals completes at once")
  func empty() {
    #expect(Recorder(Signal<Int, Never>.concat([])).events == [.completed])
  }

  @Test("C10: disposal ends the running signal, the first or a later one", arguments: [0, 1])
  func disposal(running: Int) {
    let held = [Held<Never>(nil), Held<Never>(nil)]
    let cleanups = [Counter(), Counter()]
    let signals = (0..<2).map { index in
      Signal<Int, Never>.create { observer in
        held[index].value = observer
        return ActionDisposable { cleanups[index].add() }
      }
    }
    let recorder = Recorder(Signal.concat(signals))
    held[0].value?.send(0)
    if running == 1 {
      held[0].value?.complete()
      held[1].value?.send(1)
    }
    recorder.dispose()
    held[running].value?.send(9)
    held[running].value?.complete()
    #expect(recorder.values == Array(0...running))
    #expect(cleanups.map(\.value) == [1, running])
    #expect(recorder.completion == nil)
  }

  @Test(
    "AC29: flatten(.concat) runs asynchronous signals in order; disposal ends the running one and starts no other"
  )
  func delayed() {
    for isDisposed in [false, true] {
      let held = [Held<Never>(nil), Held<Never>(nil)]
      let cleanups = Counter()
      let later = held.map { held in
        Signal<Int, Never>.create { observer in
          held.value = observer
          return ActionDisposable { cleanups.add() }
        }
      }
      let recorder = Recorder(Signal<Signal<Int, Never>, Never>([.just(1)] + later).flatten(.concat))
      held[0].value?.send(2)
      if isDisposed { recorder.dispose() }
      held[0].value?.complete()
      held[1].value?.send(3)
      held[1].value?.complete()
      #expect(recorder.events == [.next(1), .next(2)] + (isDisposed ? [] : [.next(3), .completed]))
      #expect(cleanups.value == (isDisposed ? 1 : 2))
    }
  }

  @Test("C9: concat runs a hundred thousand synchronous signals without growing the stack")
  func deep() async {
    await #expect(processExitsWith: .success) {
      let signals = [Signal<Int, Never>](repeating: .just(1), count: manyRounds)
      let sum = Counter()
      let completions = Counter()
      Signal.concat(signals).subscribe(next: { sum.add($0) }, completed: { completions.add() })
      #expect((sum.value, completions.value) == (manyRounds, 1))
    }
  }

  @Test("disposal during a value of a synchronous signal keeps later signals from running")
  func disposedInside() {
    let runs = Counter()
    let subscription = Box<Subscription?>(nil)
    let start = Subject<Int, Never>()
    let rest = Signal<Int, Never>.deferred {
      runs.add()
      return Signal<Int, Never>.just(3)
    }
    let values = Box<[Int]>([])
    subscription.value = start.flatMap { _ in Signal<Int, Never>([1, 2]).concat(rest) }.subscribe(
      next: { value in
        values.value.append(value)
        subscription.value?.dispose()
      })
    start.send(0)
    #expect(values.value == [1])
    #expect(runs.value == 0)
  }

  @Test("take(first:) stops the running signal, and later ones do not run")
  func cutByTake() {
    let runs = Counter()
    let infinite = Signal<Int, Never>.deferred {
      runs.add()
      return Signal<Int, Never>(0...)
    }
    #expect(
      Recorder(Signal.concat([infinite, infinite]).take(first: 2)).events == [.next(0), .next(1), .completed])
    #expect(runs.value == 1)
  }

  @Test("startWith sends its values to each subscriber first")
  func startWith() {
    let signal = Signal<Int, Never>([3]).startWith(1, 2)
    #expect(Recorder(signal).events == [.next(1), .next(2), .next(3), .completed])
    #expect(Recorder(signal).values == [1, 2, 3])
  }

  @Test("startWith sends its values also when the signal sends none, or fails")
  func startWithAlone() {
    #expect(Recorder(Signal<Int, Never>.never().startWith(1)).events == [.next(1)])
    #expect(Recorder(Signal<Int, Oops>.fail(Oops()).startWith(1)).events == [.next(1), .failed(Oops())])
  }

  @Test(
    "startWith stops at the value that ends the run, and then does not run the signal", arguments: [1, 2, 3])
  func startWithStopped(count: Int) {
    let runs = Counter()
    let sent = Counter()
    let signal = Signal<Int, Never>.deferred {
      runs.add()
      return .just(9)
    }
    let recorder = Recorder(
      signal.startWith(1, 2, 3).map { value in
        sent.add()
        return value
      }.take(first: count))
    #expect(recorder.events == (1...count).map { .next($0) } + [.completed])
    #expect((sent.value, runs.value) == (count, 0))
  }

  @Test("startWith on a subject misses values sent while the initial ones are delivered")
  func startWithHot() {
    let subject = Subject<Int, Never>()
    let values = Box<[Int]>([])
    subject.startWith(1).subscribe(
      next: { value in
        values.value.append(value)
        if value == 1 { subject.send(2) }
      })
    subject.send(3)
    #expect(values.value == [1, 3])
  }
}
