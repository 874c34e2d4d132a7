// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md gives in place of functions of ReactiveSwift, RxSwift, Combine and their extensions.
struct MigrationSwiftPeersTests {
  @Test("properties: a signal begins with the value, and after the release only completes")
  func propertySignals() {
    let property = Box<MutableProperty<Int>?>(MutableProperty(0))
    guard let signal = property.value?.signal else { return #expect(Bool(false)) }
    let (values, changes) = (Recorder(signal), Recorder(signal.skip(first: 1)))
    property.value?.value = 1
    #expect(values.values == [0, 1] && changes.values == [1])
    property.value = nil
    let late = Recorder(signal)
    #expect(late.values.isEmpty && late.completion == .completed)
  }

  @Test("Property(initial:then:): its signal needs the property; startWith needs none")
  func followingProperty() {
    let source = Subject<Int, Never>()
    let unstored = Recorder(Property(initial: 0, then: source).signal)
    #expect(unstored.values.isEmpty && unstored.completion == .completed)
    #expect(source.subscriberCount == 0)
    let property = Property(initial: 0, then: source)
    let (stored, withoutProperty) = (Recorder(property.signal), Recorder(source.startWith(0)))
    source.send(1)
    source.complete()
    #expect(stored.values == [0, 1] && stored.completion == nil)
    #expect(withoutProperty.values == [0, 1] && withoutProperty.completion == .completed)
    #expect(property.value == 1)
  }

  @Test("terminated: on(disposed:) is called when a newer run replaces one, and finally is not")
  func terminated() {
    let (words, answers) = (Subject<String, Never>(), Subject<String, Never>())
    let (running, unfinished) = (Counter(), Counter())
    let rows = Recorder(
      words.flatMap(.latest) { word in
        answers.filter { $0 == word }
          .initially {
            running.add()
            unfinished.add()
          }
          .finally { unfinished.add(-1) }
          .on(disposed: { running.add(-1) })
      })
    for word in ["w", "we", "wei"] { words.send(word) }
    #expect((running.value, unfinished.value) == (1, 3))
    rows.dispose()
    #expect((running.value, unfinished.value) == (0, 3))
  }

  @Test("operators of a hot signal run once for each subscriber, and with share() once for all")
  func hotSignal() {
    let (names, logins) = (Subject<String, Never>(), Counter())
    let login = names.flatMap { name in
      Signal<String, Never>.deferred {
        logins.add()
        return .just(name)
      }
    }
    let shared = login.share()
    for signal in [login, login, shared, shared] { signal.subscribe() }
    names.send("me")
    #expect(logins.value == 3)
  }

  @Test("two signals bound to one property: as one, or one after the other")
  func twoBindings() {
    let (a, b, property) = (Subject<Int, Never>(), Subject<Int, Never>(), MutableProperty(0))
    let binding = property <~ Signal.merge(a, b)
    a.send(1)
    #expect(property.value == 1)
    b.send(2)
    #expect(property.value == 2)
    binding.dispose()
    property <~ a
    a.send(3)
    #expect(property.value == 3)
  }

  @Test("cancelling an execution: disposing its signal does not, a trigger inside the command does")
  func cancelledExecution() {
    let (work, cancels) = (Subject<Int, Oops>(), Subject<Void, Never>())
    let command = Command<Int, Int, Oops> { _ in work.take(until: cancels) }
    command.execute(1).subscribe(failed: { _ in }).dispose()
    #expect(command.isExecuting && work.subscriberCount == 1)
    let execution = Recorder(command.executions.flatten())
    cancels.send()
    #expect(!command.isExecuting && work.subscriberCount == 0)
    command.execute(2)
    work.send(3)
    #expect(execution.values == [3])
  }

  @Test("disabledErrors: the signal of a refused execution reports it, and `errors` does not")
  func refusals() {
    let (refusals, isOn) = (Subject<Int, Never>(), MutableProperty(false))
    let command = Command<Int, Int, Oops>(enabledIf: isOn) { .just($0) }
    let (refused, errors) = (Recorder(refusals), Recorder(command.errors))
    for input in 1...3 {
      isOn.value = input == 2
      command.execute(input).subscribe(failed: { if case .notEnabled = $0 { refusals.send(input) } })
    }
    #expect(refused.values == [1, 3])
    #expect(errors.values.isEmpty)
  }

  @Test("an action with a state, bound to a signal: the closure reads the property; its completions are sent")
  func commandWithState() {
    let (user, clicks, completions) = (MutableProperty<String?>(nil), Subject<Void, Never>(), Box(0))
    let load = { @Sendable (user: String) in
      Signal<String, Oops>.just("page of \(user)").doCompleted { completions.value += 1 }
    }
    let command = Command(enabledIf: user.map { $0 != nil }) { (_: Void) in
      user.value.map { load($0) } ?? .empty()
    }
    let pages = Recorder(command.executions.flatten())
    clicks.subscribe { command.execute($0) }
    clicks.send()
    #expect(pages.values.isEmpty && completions.value == 0)
    user.value = "Ann"
    clicks.send()
    #expect(pages.values == ["page of Ann"] && completions.value == 1)
  }

  @Test("Future: the closure runs once, at once, and may send later; all subscribers get the result")
  func future() {
    let (runs, promise) = (Box(0), Box<Observer<Int, Oops>?>(nil))
    let future: Signal<Int, Oops> = .startEagerly(on: .immediate) { observer in
      runs.value += 1
      promise.value = observer
    }
    #expect(runs.value == 1)
    let early = Recorder(future)
    promise.value?.send(7)
    promise.value?.complete()
    let late = Recorder(future)
    for recorder in [early, late] { #expect(recorder.values == [7] && recorder.completion == .completed) }
    #expect(runs.value == 1)
  }

  @Test("mapToResult, values, failures: what a signal sends and how it fails, as values")
  func results() {
    let source = Subject<Int, Oops>()
    let results = Recorder(source.map { Result.success($0) }.catch { .just(.failure($0)) })
    let values = Recorder(source.materialize().compactMap(\.value))
    let failures = Recorder(source.materialize().compactMap(\.error))
    source.send(1)
    source.fail(Oops(code: 2))
    #expect(results.values == [.success(1), .failure(Oops(code: 2))] && results.completion == .completed)
    #expect(values.values == [1] && values.completion == .completed)
    #expect(failures.values == [Oops(code: 2)] && failures.completion == .completed)
  }

  @Test("mapMany, filterMany, toSortedArray: functions of the array")
  func arrays() {
    let arrays: Signal<[Int], Never> = .just([3, 1, 2])
    #expect(Recorder(arrays.map { $0.map { "\($0)" } }).values == [["3", "1", "2"]])
    #expect(Recorder(arrays.map { $0.filter { $0 > 1 } }).values == [[3, 2]])
    #expect(Recorder(arrays.joined().collect().map { $0.sorted() }).values == [[1, 2, 3]])
  }

  @Test("partition: each half has its values; a cold source runs once, for both")
  func partition() {
    let isLarge = { @Sendable (number: Int) in number > 2 }
    let source = Subject<Int, Never>()
    let shared = source.share()
    let (large, small) = (Recorder(shared.filter(isLarge)), Recorder(shared.filter { !isLarge($0) }))
    #expect(source.subscriberCount == 1)
    for number in 1...4 { source.send(number) }
    #expect(large.values == [3, 4] && small.values == [1, 2])

    let runs = Box(0)
    let cold = Signal<Int, Never>.deferred {
      runs.value += 1
      return Signal(1...4)
    }
    let both = cold.share(connecting: .atSubscribers(2))
    let (largeOnes, smallOnes) = (Recorder(both.filter(isLarge)), Recorder(both.filter { !isLarge($0) }))
    #expect(largeOnes.values == [3, 4] && smallOnes.values == [1, 2] && runs.value == 1)
  }

  @Test("emptySentinel: of no signals combineLatest sends nothing, and an array where one is written")
  func combinedOfNone() {
    func combined(_ signals: [Signal<Int, Never>]) -> Signal<[Int], Never> {
      signals.isEmpty ? .just([]) : Signal.combineLatest(signals)
    }
    let none = Recorder(Signal.combineLatest([Signal<Int, Never>]()))
    #expect(none.values.isEmpty && none.completion == .completed)
    #expect(Recorder(combined([])).values == [[]])
    #expect(Recorder(combined([.just(1), .just(2)])).values == [[1, 2]])
  }

  @Test("flatMapBatches: so many signals at a time, their results in order; then the next ones")
  func batches() {
    typealias E = Oops
    let subjects = (0..<3).map { _ in Subject<Int, Oops>() }
    let (works, n) = (subjects.map(\.signal), 2)
    let results = Recorder(Signal<_, E>(works).collect(count: n).flatMap(.concat) { Signal.zip($0) })
    #expect(subjects.map(\.subscriberCount) == [1, 1, 0])
    subjects[1].send(1)
    subjects[1].complete()
    #expect(results.values.isEmpty && subjects.map(\.subscriberCount) == [1, 0, 0])
    subjects[0].send(0)
    subjects[0].complete()
    #expect(results.values == [[0, 1]] && subjects.map(\.subscriberCount) == [0, 0, 1])
    subjects[2].send(2)
    subjects[2].complete()
    #expect(results.values == [[0, 1], [2]] && results.completion == .completed)
  }

  @Test("flatScanLatest: a signal begins with what the one before it has sent last, in each run anew")
  func flatScan() {
    let (steps, works) = (Subject<Int, Never>(), Box<[Subject<Int, Never>]>([]))
    let advance = { @Sendable (last: Int, step: Int) -> Signal<Int, Never> in
      let work = Subject<Int, Never>()
      works.value.append(work)
      return work.map { last + step * $0 }
    }
    let results = Signal.deferred {
      let last = MutableProperty(0)
      return steps.flatMap(.latest) { step in advance(last.value, step).doNext { last.value = $0 } }
    }
    for _ in 0..<2 {
      let recorder = Recorder(results)
      steps.send(1)
      works.value.last?.send(1)
      works.value.last?.send(2)
      steps.send(10)
      works.value.last?.send(1)
      #expect(recorder.values == [1, 2, 12])
      recorder.dispose()
    }
  }

  @Test("unwrap, ofType, and of one signal: compactMap and all(where:)")
  func rxSwiftExtensions() {
    let optionals: Signal<Int?, Never> = Signal([1, nil, 2])
    #expect(Recorder(optionals.compactMap { $0 }).values == [1, 2])
    let mixed: Signal<any Sendable, Never> = Signal([1, "a", 2])
    #expect(Recorder(mixed.compactMap { $0 as? Int }).values == [1, 2])
    let flags: Signal<Bool, Never> = Signal([true, false])
    #expect(Recorder(flags.all(where: { $0 })).values == [false])
    #expect(Recorder(Signal<Bool, Never>.empty().all(where: { $0 })).values == [true])
  }

  @Test("pausable: what comes while it does not run is dropped")
  func pausable() {
    let (source, isRunning) = (Subject<Int, Never>(), MutableProperty(false))
    let running = Recorder(source.withLatest(from: isRunning.signal).filter { $1 }.map { $0.0 })
    source.send(1)
    isRunning.value = true
    source.send(2)
    isRunning.value = false
    source.send(3)
    #expect(running.values == [2])
  }

  @Test("remove(for:) of RxSwift disposes; the entry of a set does not")
  func removed() {
    let set = CompoundDisposable()
    let disposable = ActionDisposable {}
    #expect(set.add(disposable).remove())
    set.dispose()
    #expect(!disposable.isDisposed)
  }
}
