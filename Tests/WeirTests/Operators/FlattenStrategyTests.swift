// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Which inner signals of a flatMap run, and when.
struct FlattenStrategyTests {
  private let source = Subject<Int, Oops>()
  private let inner = (0..<4).map { _ in Subject<Int, Oops>() }
  private let runs = Box<[Int]>([])

  /// Runs inner signals and notes which were started.
  private func recorder(_ strategy: FlattenStrategy<Oops>) -> Recorder<Int, Oops> {
    Recorder(
      source.flatMap(strategy) { [inner, runs] index in
        .deferred {
          runs.value.append(index)
          return inner[index].signal
        }
      })
  }

  @Test("with a limit, in order or .latest, the source is not run for a subscriber that has ended before")
  func endedBefore() {
    let begun = Counter()
    let source = Signal<Int, Oops>.attaching { _ in _ = begun.add() }
    for strategy in [FlattenStrategy<Oops>.merge(limit: 2), .concat, .ordered(limit: 2), .latest] {
      let run = Signal<Int, Oops>.attaching { sink in
        sink.subscription.dispose()
        source.flatMap(strategy) { .just($0) }.attach(sink)
      }
      run.subscribe(failed: { _ in })
    }
    #expect(begun.value == 0)
  }

  @Test(
    "AC26 C10: concat starts an inner signal when the one before it has completed, or at once if none runs")
  func concat() {
    let recorder = recorder(.concat)
    for index in 0..<3 { source.send(index) }
    #expect(runs.value == [0])
    inner[1].send(1)
    inner[0].send(0)
    inner[0].complete()
    #expect(runs.value == [0, 1])
    inner[1].send(10)
    inner[1].complete()
    inner[2].complete()
    source.send(3)
    #expect(runs.value == [0, 1, 2, 3])
    #expect(recorder.values == [0, 10])
  }

  @Test("C10: disposal ends the running inner signal, and none is started later")
  func concatDisposed() {
    let recorder = recorder(.concat)
    source.send(0)
    source.send(1)
    recorder.dispose()
    inner[0].send(1)
    inner[0].complete()
    #expect(runs.value == [0])
    #expect(recorder.events == [])
  }

  @Test(
    "AC27 C11: merge(limit:) completes when the source and the last inner signal have, in either order",
    arguments: [1, 2, 100])
  func completion(limit: Int) {
    let recorder = recorder(.merge(limit: limit))
    source.send(0)
    source.send(1)
    source.complete()
    #expect(recorder.completion == nil)
    inner[0].complete()
    #expect(recorder.completion == nil)
    inner[1].complete()
    #expect(recorder.events == [.completed])
    let other = FlattenStrategyTests()
    let second = other.recorder(.merge(limit: limit))
    other.source.send(0)
    other.inner[0].complete()
    #expect(second.completion == nil)
    other.source.complete()
    #expect(second.events == [.completed])
  }

  @Test(
    "a failure of the source or of an inner signal ends the run, and no buffered signal is started",
    arguments: [false, true])
  func failure(ofSource: Bool) {
    let recorder = recorder(.concat)
    source.send(0)
    source.send(1)
    if ofSource { source.fail(Oops()) } else { inner[0].fail(Oops()) }
    inner[0].complete()
    #expect(recorder.events == [.failed(Oops())])
    #expect(runs.value == [0])
  }

  @Test(
    "C12 AC28: concat starts nothing after an inner signal disposes the run; synchronous ones run in order"
  )
  func disposedWhileSubscribing() {
    let subscription = Box<Subscription?>(nil)
    let started = Counter()
    subscription.value = source.flatMap(.concat) { _ in
      Signal<Int, Oops>.deferred {
        started.add()
        subscription.value?.dispose()
        return .just(1)
      }
    }.subscribe(next: { _ in Issue.record("a value after disposal") }, failed: { _ in })
    source.send(0)
    source.send(1)
    #expect(started.value == 1)

    let synchronous = Signal<Int, Oops>([1, 2, 3]).flatMap(.concat) { value in Signal([value, value * 10]) }
    #expect(Recorder(synchronous).values == [1, 10, 2, 20, 3, 30])
    #expect(Recorder(synchronous).completion == .completed)
    #expect(Recorder(synchronous.take(first: 3)).events == [.next(1), .next(10), .next(2), .completed])
  }

  @Test("C12: take(until:) ends the run when an inner signal fires the trigger before its value is passed on")
  func cutFromInside() {
    let trigger = Subject<Int, Never>()
    let recorder = Recorder(
      source.flatMap(.merge(limit: 2)) { value in
        Signal<Int, Oops>.just(value).doNext { if $0 == 2 { trigger.send(0) } }
      }.take(until: trigger))
    for value in 0..<4 { source.send(value) }
    #expect(recorder.events == [.next(0), .next(1), .completed])
  }

  @Test(
    "a failure of the source ends an endless inner signal that is still being subscribed",
    arguments: [FlattenStrategy<Oops>.concat, .merge(limit: 2), .ordered(limit: 2)])
  func sourceFailsMeanwhile(strategy: FlattenStrategy<Oops>) {
    let values = Counter()
    let recorder = Recorder(
      source.flatMap(strategy) { [inner] index in index < 2 ? inner[index].signal : .repeatElement(7) }
        .doNext { [source] _ in if values.add() == 0 { source.fail(Oops()) } }.take(first: 100))
    for index in 0..<3 { source.send(index) }
    // With .ordered, the endless signal has its turn when both others have completed.
    inner[1].complete()
    inner[0].complete()
    #expect(recorder.events == [.next(7), .failed(Oops())])
  }

  @Test("a buffered inner signal whose turn comes during a delivery starts after it, and may be endless")
  func endlessAfterValue() async {
    await #expect(processExitsWith: .success) {
      let (source, values) = (Subject<Int, Never>(), Box<[Int]>([]))
      let inner = (0..<2).map { _ in Subject<Int, Never>() }
      source.flatMap(.merge(limit: 2)) { value in
        value < 2 ? inner[value].signal : Signal.just(9).repeat()
      }.take(first: 3).subscribe { value in
        values.value.append(value)
        if value == 10 { inner[1].complete() }
      }
      for value in 0..<3 { source.send(value) }
      inner[0].send(10)
      #expect(values.value == [10, 9, 9])
    }
  }

  @Test("the inner signal of a value sent during a delivery starts after it, and may be endless")
  func endlessForValueInside() async {
    await #expect(processExitsWith: .success) {
      for strategy in [FlattenStrategy<Never>.merge(limit: 3), .ordered(limit: 3)] {
        let (source, values) = (Subject<Int, Never>(), Box<[Int]>([]))
        let inner = (0..<2).map { _ in Subject<Int, Never>() }
        source.flatMap(strategy) { value in
          value < 2 ? inner[value].signal : Signal.just(9).repeat()
        }.take(first: 3).subscribe { value in
          values.value.append(value)
          if value == 10 { source.send(2) }
        }
        for value in 0..<2 { source.send(value) }
        inner[1].send(10)
        // With .ordered, the 10 is delivered when inner[0] has completed.
        inner[1].complete()
        inner[0].complete()
        #expect(values.value == [10, 9, 9])
      }
    }
  }

  @Test("inner signals of values sent during a delivery start in order, right after it")
  func valueInside() {
    let inner = (0..<3).map { _ in Subject<Int, Oops>() }
    let log = Box<[String]>([])
    source.flatMap(.merge(limit: 3)) { index in
      log.value.append("begin \(index)")
      return inner[index].startWith(index)
    }.subscribe(
      next: { [source] value in
        log.value.append("\(value)")
        if value != 10 { return }
        source.send(1)
        source.send(2)
        inner[0].send(11)
        source.complete()
        log.value.append("delivered")
      }, failed: { _ in }, completed: { log.value.append("completed") })
    source.send(0)
    inner[0].send(10)
    #expect(log.value == ["begin 0", "0", "10", "delivered", "begin 1", "1", "begin 2", "2", "11"])
    for subject in inner { subject.complete() }
    #expect(log.value.last == "completed")
  }

  @Test(
    "inner signals that complete during a delivery free their places at once; the buffered value starts first"
  )
  func placesFreedInside() {
    let inner = (0..<5).map { _ in Subject<Int, Oops>() }
    let runsInside = Box<[Int]>([])
    let strategy = FlattenStrategy<Oops>.merge(limit: 3, waiting: .bounded(1, onOverflow: .dropNewest))
    source.flatMap(strategy) { [runs] index in
      runs.value.append(index)
      return inner[index].signal
    }.subscribe(
      next: { [source, runs] _ in
        inner[1].complete()
        inner[2].complete()
        source.send(4)
        runsInside.value = runs.value
      }, failed: { _ in })
    for index in 0..<4 { source.send(index) }
    inner[0].send(0)
    #expect(runsInside.value == [0, 1, 2])
    #expect(runs.value == [0, 1, 2, 3, 4])
  }

  @Test("C13: concat never runs two inner signals at once when values and completions come on three threads")
  func limit() {
    let running = Counter()
    let most = Box(0)
    let source = Subject<Int, Never>()
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    source.flatMap(.concat(waiting: .unbounded)) { value in
      Signal<Int, Never>.deferred {
        running.add()
        most.value = max(most.value, running.value)
        return (value % 2 == 0 ? first : second).take(first: 1).finally { running.add(-1) }
      }
    }.subscribe(next: { _ in })
    withThreads(3) { index in
      for value in 0..<300 { [source, first, second][index].send(value) }
    }
    #expect(most.value == 1)
  }

  @Test("concat calls the closure for a buffered value only when its turn comes")
  func lateTransform() {
    let transformed = Box<[Int]>([])
    source.flatMap(.concat) { [inner] index in
      transformed.value.append(index)
      return inner[index].signal
    }.subscribe(failed: { _ in })
    source.send(0)
    source.send(1)
    #expect(transformed.value == [0])
    inner[0].complete()
    #expect(transformed.value == [0, 1])
  }

  @Test("a full buffer fails the signal, or drops the newest or the oldest value")
  func backlog() {
    let failing = recorder(.concat(waiting: .bounded(1, onOverflow: .fail(Oops(code: 1)))))
    for index in 0..<3 { source.send(index) }
    #expect(failing.events == [.failed(Oops(code: 1))])

    let other = FlattenStrategyTests()
    let dropping = other.recorder(.merge(limit: 1, waiting: .bounded(1, onOverflow: .dropNewest)))
    for index in 0..<4 { other.source.send(index) }
    other.inner[0].complete()
    other.inner[1].send(5)
    other.inner[1].complete()
    other.source.complete()
    #expect(other.runs.value == [0, 1])
    #expect(dropping.events == [.next(5), .completed])

    let last = FlattenStrategyTests()
    let drops = DropCounter()
    let newest = last.recorder(
      .merge(limit: 1, waiting: .bounded(1, onOverflow: .dropOldest, countingIn: drops)))
    for index in 0..<3 { last.source.send(index) }
    last.source.complete()
    last.inner[0].complete()
    last.inner[2].complete()
    #expect(last.runs.value == [0, 2])
    #expect(newest.events == [.completed])
    #expect(drops.count == 1)
  }

  @Test("a full buffer traps by default", .millionsOfValues)
  func backlogTraps() async {
    await #expect(processExitsWith: .failure) {
      let source = Subject<Int, Never>()
      source.flatMap(.concat) { _ in Signal<Int, Never>.never() }.subscribe()
      for value in 0...1_048_577 { source.send(value) }
    }
  }

  @Test(".first drops values that arrive while an inner signal runs")
  func first() {
    let recorder = recorder(.first)
    source.send(0)
    source.send(1)
    inner[0].send(7)
    inner[0].complete()
    source.send(2)
    inner[2].send(8)
    source.complete()
    inner[2].complete()
    #expect(runs.value == [0, 2])
    #expect(recorder.events == [.next(7), .next(8), .completed])
  }

  @Test(".latest ends the running inner signal when the next value arrives")
  func latest() {
    let recorder = recorder(.latest)
    source.send(0)
    inner[0].send(1)
    source.send(1)
    inner[0].send(2)
    inner[1].send(3)
    source.complete()
    inner[1].complete()
    #expect(recorder.events == [.next(1), .next(3), .completed])
  }

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test(
    "synchronous inner signals that each cause the next during delivery do not grow the stack",
    arguments: [1_000, roundsOfEach])
  func deep(count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      for strategy in [FlattenStrategy<Never>.merge, .concat, .ordered(limit: 2), .first, .latest] {
        for isPlain in [true, false] {
          let source = Subject<Int, Never>()
          let (sum, completions) = (Counter(), Counter())
          source.flatMap(strategy) { value in isPlain ? .just(value) : Signal.just(value).map { $0 } }
            .subscribe(
              next: { value in
                sum.add()
                if value < count { source.send(value + 1) } else { source.complete() }
              }, completed: { completions.add() })
          source.send(1)
          #expect((sum.value, completions.value) == (count, 1))
        }
      }
    }
  }
  #endif

  @Test("ten thousand buffered inner signals run one after the other without growing the stack")
  func deepQueue() async {
    await #expect(processExitsWith: .success) {
      for strategy in [
        FlattenStrategy<Never>.concat(waiting: .unbounded), .ordered(limit: 1, waiting: .unbounded),
        .ordered(limit: .max),
      ] {
        let gate = Subject<Int, Never>()
        let source = Subject<Int, Never>()
        let sum = Counter()
        source.flatMap(strategy) { value in
          value == 0 ? gate.signal : Signal.just(value).map { _ in 1 }
        }.subscribe(next: { sum.add($0) })
        for value in 0...roundsOfEach { source.send(value) }
        gate.complete()
        #expect(sum.value == roundsOfEach)
      }
    }
  }
}
