// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct FlatMapTests {
  @Test("B2 AC19: merge does not call the next factory when a signal fails during its subscription")
  func failingDeferred() {
    let calls = Box<[Int]>([])
    let signals = (0..<2).map { index in
      Signal<Int, Oops>.deferred {
        calls.value.append(index)
        return index == 0 ? Signal.fail(Oops()) : .just(1)
      }
    }
    #expect(Recorder(Signal.merge(signals)).events == [.failed(Oops())])
    #expect(calls.value == [0])
  }

  @Test("B1: flatMap runs all inner signals at once, and sends values in order of arrival")
  func sideBySide() {
    let subjects = [Subject<Int, Never>(), Subject<Int, Never>()]
    let source = Subject<Int, Never>()
    let recorder = Recorder(source.flatMap { subjects[$0].signal })
    source.send(0)
    source.send(1)
    subjects[1].send(10)
    subjects[0].send(20)
    subjects[1].send(11)
    #expect(recorder.values == [10, 20, 11])
  }

  @Test(
    "inner values sent on three threads are delivered one at a time, in the order of each signal, none lost")
  func innerValuesMeet() {
    let subjects = [Subject<Int, Never>(), Subject<Int, Never>(), Subject<Int, Never>()]
    let values = Box<[Int]>([])
    let grammar = Grammar<Int, Never>(next: { values.value.append($0) })
    let subscription = grammar.subscribe(to: Signal<Int, Never>([0, 1, 2]).flatMap { subjects[$0].signal })
    withThreads(3) { index in
      for value in 0..<500 { subjects[index].send(index * 500 + value) }
      subjects[index].complete()
    }
    #expect(values.value.sorted() == Array(0..<1_500))
    for index in 0..<3 {
      #expect(values.value.filter { $0 / 500 == index } == Array(index * 500..<(index + 1) * 500))
    }
    #expect(grammar.violations == 0)
    #expect(subscription.isDisposed)
  }

  @Test("a value that another merged signal sends during a delivery is delivered after it")
  func nestedInnerValue() {
    let (left, right) = (Subject<Int, Never>(), Subject<Int, Never>())
    let log = Box<[String]>([])
    left.merge(with: right).subscribe(
      next: { value in
        log.value.append("begin \(value)")
        if value == 1 { right.send(2) }
        log.value.append("end \(value)")
      })
    left.send(1)
    #expect(log.value == ["begin 1", "end 1", "begin 2", "end 2"])
  }

  @Test(
    "C12 AC28: an inner signal that disposes the run during its subscription is cleaned up, and sends nothing",
    arguments: [FlattenStrategy<Never>.merge, .merge(limit: 2), .ordered(limit: 2), .concat, .latest, .race])
  func disposedWhileSubscribing(strategy: FlattenStrategy<Never>) {
    let subscription = Box<Subscription?>(nil)
    let source = Subject<Int, Never>()
    let cleanup = Counter()
    let values = Counter()
    subscription.value = source.flatMap(strategy) { _ in
      Signal<Int, Never>.create { observer in
        subscription.value?.dispose()
        observer.send(1)
        return ActionDisposable { cleanup.add() }
      }
    }.subscribe(next: { _ in values.add() })
    source.send(0)
    #expect((cleanup.value, values.value) == (1, 0))
  }

  @Test("memory stays constant over a hundred thousand completed inner signals")
  func finishedInnersAreForgotten() async {
    await #expect(processExitsWith: .success) {
      let source = Subject<Int, Never>()
      let values = Counter()
      source.flatMap { Signal.just($0) }.subscribe(next: { values.add($0) })
      let growth = residentGrowth(over: manyRounds) { source.send(1) }
      #expect(growth < 4 << 20)
      #expect(values.value == manyRounds)
    }
  }

  @Test("what a completed inner signal captured is released while the source goes on")
  func finishedInnerIsReleased() {
    let resources = Resources()
    let source = Subject<Int, Never>()
    let recorder = Recorder(
      source.flatMap { value in
        Signal<Int, Never>.just(value).map { [token = resources.make()] in
          _ = token; return $0
        }
      })
    source.send(1)
    source.send(2)
    #expect(resources.alive == 0)
    #expect(recorder.values == [1, 2])
  }

  @Test("flatMap takes a function reference, with a strategy and without")
  func functionReference() {
    @Sendable func twice(_ value: Int) -> Signal<Int, Never> { Signal([value, value]) }
    let source = Signal<Int, Never>([1, 2])
    #expect(Recorder(source.flatMap(twice)).values == [1, 1, 2, 2])
    #expect(Recorder(source.flatMap(.concat, twice)).values == [1, 1, 2, 2])
  }
}
