// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct FlatMapTests {
  @Test("B2 AC19: merge and flatMap call no further factory once a signal fails during its subscription")
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
    let asked = Counter()
    let bound = Signal<Int, Oops>([0, 1]).flatMap { index in
      asked.add()
      return signals[index]
    }
    #expect(Recorder(bound).events == [.failed(Oops())])
    #expect(calls.value == [0, 0] && asked.value == 1)
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

  @Test("a value that another merged or inner signal sends during a delivery is delivered after it")
  func nestedInnerValue() {
    let subjects = [Subject<Int, Never>(), Subject<Int, Never>()]
    for signal in [subjects[0].merge(with: subjects[1]), Signal([0, 1]).flatMap { subjects[$0].signal }] {
      let log = Box<[String]>([])
      let subscription = signal.subscribe { value in
        log.value.append("begin \(value)")
        if value == 1 { subjects[1].send(2) }
        log.value.append("end \(value)")
      }
      subjects[0].send(1)
      #expect(log.value == ["begin 1", "end 1", "begin 2", "end 2"])
      subscription.dispose()
    }
  }

  @Test(
    "B2: a failure of the source or of an inner signal of flatMap disposes all of them, then is sent",
    arguments: [0, 1, 2])
  func failure(of failing: Int) {
    let subjects = (0..<3).map { _ in Subject<Int, Oops>() }
    let log = Box<[String]>([])
    let signals = subjects.map { subject in subject.on(disposed: { log.value.append("disposed") }) }
    // Materialized, as otherwise the failure would end the whole chain on its way.
    signals[0].flatMap { signals[$0] }.materialize().subscribe { event in
      log.value.append(event == .failed(Oops(code: 9)) ? "failed" : "sent")
    }
    for index in 1...2 { subjects[0].send(index) }
    subjects[2].send(7)
    subjects[failing].fail(Oops(code: 9))
    for subject in subjects { subject.send(1) }
    #expect(log.value == ["sent", "disposed", "disposed", "disposed", "failed"])
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

  @Test("memory stays constant over many completed inner signals")
  func finishedInnersAreForgotten() async {
    await #expect(processExitsWith: .success) {
      let source = Subject<Int, Never>()
      let values = Counter()
      source.flatMap { Signal.just($0) }.subscribe(next: { values.add($0) })
      let growth = allocatedGrowth { source.send(1) }
      #expect(growth < spareMemory)
      #expect(values.value == roundsToGrow)
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
