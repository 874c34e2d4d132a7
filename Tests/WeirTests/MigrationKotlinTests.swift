// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md gives for names of Kotlin's flows.
struct MigrationKotlinTests {
  private let scheduler = VirtualScheduler()

  /// The function of the article.
  private func state<Value>(
    of source: Signal<Value, Never>, initial: Value, on scheduler: some TimedScheduler
  ) -> (value: MutableProperty<Value>, signal: Signal<Value, Never>) {
    let value = MutableProperty(initial)
    let running: Signal<Value, Never> = source.doNext { value.value = $0 }.ignoreValues()
      .concat(Signal.create { observer in ActionDisposable { _ = observer } })
      .share(disconnecting: .after(.seconds(5), on: scheduler))
    return (value, value.signal.merge(with: running))
  }

  @Test("stateIn with WhileSubscribed: the source runs while there are subscribers and a while longer")
  func whileSubscribed() {
    let (source, runs) = (Subject<Int, Never>(), Counter())
    let state = state(of: source.signal.initially { runs.add() }, initial: 0, on: scheduler)
    #expect(source.subscriberCount == 0 && state.value.value == 0)
    let first = Recorder(state.signal)
    source.send(1)
    let second = Recorder(state.signal)
    source.send(2)
    #expect(first.values == [0, 1, 2] && second.values == [1, 2] && state.value.value == 2)
    first.dispose()
    second.dispose()
    scheduler.advance(by: .seconds(4))
    source.send(3)
    #expect(Recorder(state.signal).values == [3] && runs.value == 1)
    scheduler.advance(by: .seconds(6))
    #expect(source.subscriberCount == 1)
  }

  @Test("stateIn, shareIn of a source that completes: one run until all have been gone for five seconds")
  func completing() {
    let (runs, scheduler) = (Counter(), scheduler)
    let request = Signal<Int, Never>.deferred { .just(runs.add() + 1) }
    let shared = request.concat(Signal.create { observer in ActionDisposable { _ = observer } })
      .share(replay: .last(1), lifetime: .forever, disconnecting: .after(.seconds(5), on: scheduler))
    for (signal, initial) in [(state(of: request, initial: 0, on: scheduler).signal, [0]), (shared, [])] {
      let before = runs.value
      let recorders = [Recorder(signal), Recorder(signal)]
      #expect(recorders.map(\.values) == [initial + [before + 1], [before + 1]])
      #expect(recorders.allSatisfy { $0.completion == nil })
      for recorder in recorders { recorder.dispose() }
      scheduler.advance(by: .seconds(4))
      Recorder(signal).dispose()
      #expect(runs.value == before + 1)
      scheduler.advance(by: .seconds(6))
      #expect(Recorder(signal).values == [before + 1, before + 2])
      scheduler.advance(by: .seconds(6))
    }
  }

  @Test("replayExpirationMillis: after the stop the value is kept for a time only")
  func expiration() {
    let source = Subject<Int, Never>()
    let shared = source.share(
      replay: .within(.seconds(5), last: 1, on: scheduler), lifetime: .forever,
      disconnecting: .after(.seconds(2), on: scheduler))
    Recorder(shared).subscription.dispose()
    let first = Recorder(shared)
    source.send(1)
    first.dispose()
    scheduler.advance(by: .seconds(3))
    #expect(source.subscriberCount == 0)
    let second = Recorder(shared)
    #expect(second.values == [1])
    second.dispose()
    scheduler.advance(by: .seconds(3))
    #expect(Recorder(shared).values == [])
  }

  @Test("StateFlow: a property sends a value that equals the one before; distinctUntilChanged drops it")
  func equalValues() {
    let property = MutableProperty(1)
    let (all, distinct) = (Recorder(property.signal), Recorder(property.signal.distinctUntilChanged()))
    for value in [1, 2, 2] { property.value = value }
    #expect(all.values == [1, 1, 2, 2] && distinct.values == [1, 2])
  }

  @Test(
    "shareIn Lazily and Eagerly: the source starts with the first subscriber, or at once, and never stops")
  func neverStopped() {
    let source = Subject<Int, Never>()
    let lazily = source.share(replay: .last(2), lifetime: .forever, disconnecting: .never)
    #expect(source.subscriberCount == 0)
    Recorder(lazily).dispose()
    let eagerly = source.replayLast(2)
    for value in 1...3 { source.send(value) }
    #expect(Recorder(lazily).values == [2, 3] && Recorder(eagerly).values == [2, 3])
  }

  @Test("compareAndSet: sets the value if it is the expected one, and says whether it has")
  func compareAndSet() {
    let property = MutableProperty(1)
    func compareAndSet(_ expected: Int, _ new: Int) -> Bool {
      property.modify { value in
        if value != expected { return false }
        value = new
        return true
      }
    }
    #expect(compareAndSet(1, 2) && !compareAndSet(1, 3))
    #expect(property.value == 2)
  }

  @Test("a task follows a property: it gets the value of each moment at which it asks, and the last one")
  func followed() async {
    var property: MutableProperty<Int>? = MutableProperty(1)
    let values = property?.signal.values(waiting: .bounded(1, onOverflow: .dropOldest))
    var iterator = values?.makeAsyncIterator()
    #expect(await iterator?.next() == 1)
    for value in 2...9 { property?.value = value }
    #expect(await iterator?.next() == 9)
    property?.value = 10
    property = nil
    #expect(await iterator?.next() == 10)
    #expect(await iterator?.next() == nil)
  }

  @Test("runningFold begins with the initial value; transformWhile sends the value that ends it, too")
  func folds() {
    let numbers = Signal<Int, Never>([1, 2, 3, 4])
    #expect(Recorder(numbers.scan(0, +).startWith(0)).values == [0, 1, 3, 6, 10])
    #expect(Recorder(numbers.take(while: { $0 < 3 }, boundary: .included)).values == [1, 2, 3])
  }
}
