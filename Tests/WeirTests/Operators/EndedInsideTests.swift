// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Runs that end inside user code which is not a callback of the subscriber: in the deinit of a value, in
/// an iterator, in a factory.
@Suite struct EndedInsideTests {
  /// A value that calls a closure in its deinit.
  private final class Parting: Sendable {
    let number: Int
    private let parting: (@Sendable () -> Void)?

    init(_ number: Int, _ parting: (@Sendable () -> Void)? = nil) {
      self.number = number
      self.parting = parting
    }

    deinit { parting?() }
  }

  /// Counts from zero to four, and calls `tell` before it returns each number.
  private struct Counting: Sequence, IteratorProtocol, Sendable {
    var number = -1
    let tell: @Sendable (Int) -> Void

    mutating func next() -> Int? {
      number += 1
      if number > 4 { return nil }
      tell(number)
      return number
    }
  }

  private let subscription = Box<Subscription?>(nil)
  private let log = Box<[String]>([])

  private func dispose() {
    subscription.value?.dispose()
    log.value.append("disposed")
  }

  /// Sends a value whose deinit disposes the run, and another one, which replaces it.
  private func replaceParting(in subject: Subject<Parting, Never>) {
    subject.send(Parting(1) { [self] in dispose() })
    subject.send(Parting(2))
  }

  @Test(
    "combineLatest and withLatest send nothing more when the deinit of a replaced value disposes the subscription"
  )
  func replacedInRow() {
    typealias Values = Signal<Parting, Never>
    // Without an operator downstream, which would check for disposal.
    let combining: [(Values, Signal<Int, Never>, @escaping @Sendable (Parting) -> Void) -> Subscription] = [
      { values, others, next in values.combineLatest(with: others).subscribe(next: { next($0.0) }) },
      { values, others, next in
        values.combineLatest(with: others, others, others).subscribe(next: { next($0.0) })
      },
      { values, others, next in
        others.combineLatest(with: others, values).subscribe(next: { next($0.2) })
      },
      { values, others, next in values.withLatest(from: others).subscribe(next: { next($0.0) }) },
      { values, _, next in Signal.combineLatest([values]).subscribe(next: { next($0[0]) }) },
    ]
    for combine in combining {
      log.value = []
      let (values, others) = (Subject<Parting, Never>(), CurrentValue<Int, Never>(0))
      subscription.value = combine(values.signal, others.signal) { [log] in
        log.value.append("next \($0.number)")
      }
      replaceParting(in: values)
      #expect(log.value == ["next 1", "disposed"])
    }
  }

  @Test("debounce sends nothing when the deinit of a value it drops disposes the subscription")
  func droppedByDebounce() {
    let values = Subject<Parting, Never>()
    subscription.value = values.debounce(.seconds(1), on: VirtualScheduler(), where: { $0.number == 1 })
      .subscribe { [log] in log.value.append("next \($0.number)") }
    replaceParting(in: values)
    #expect(log.value == ["disposed"])
  }

  @Test("delay sends no further value due at the same time when the deinit of one disposes the subscription")
  func delayed() {
    let (values, scheduler) = (Subject<Parting, Never>(), VirtualScheduler())
    subscription.value = values.delay(.seconds(1), on: scheduler)
      .subscribe { [log] in log.value.append("next \($0.number)") }
    replaceParting(in: values)
    scheduler.run()
    #expect(log.value == ["next 1", "disposed"])
  }

  @Test("an element is not sent when the iterator that returns it disposes the subscription")
  func iterator() {
    let scheduler = VirtualScheduler()
    let elements = Counting { [self] number in if number == 2 { dispose() } }
    let forms: [Signal<Int, Never>] = [
      Signal(elements), .deferred { Signal(elements) }, Signal(elements).startWith(-1).skip(first: 1),
      Signal.just(0).map { _ in elements }.joined(),
    ]
    for form in forms {
      log.value = []
      subscription.value = form.subscribing(on: scheduler).subscribe { [log] in log.value.append("next \($0)")
      }
      scheduler.run()
      #expect(log.value == ["next 0", "next 1", "disposed"])
    }
  }

  @Test(
    "generate calls no further closure after one of them disposes the subscription",
    arguments: [
      ("while 1", ["while 0", "result 0", "next 0", "while 1", "disposed"]),
      ("next 0", ["while 0", "result 0", "next 0", "disposed"]),
      ("result 1", ["while 0", "result 0", "next 0", "while 1", "result 1", "disposed"]),
    ])
  func generate(last: String, expected: [String]) {
    let scheduler = VirtualScheduler()
    let note: @Sendable (String) -> Void = { [self] call in
      log.value.append(call)
      if call == last { dispose() }
    }
    let numbers = Signal<Int, Never>.generate(
      0,
      while: {
        note("while \($0)")
        return $0 < 4
      },
      next: {
        note("next \($0)")
        return $0 + 1
      },
      result: {
        note("result \($0)")
        return $0
      })
    subscription.value = numbers.subscribing(on: scheduler).subscribe { _ in }
    scheduler.run()
    #expect(log.value == expected)
  }

  @Test(
    "operators that send values at completion send none when an upstream doCompleted disposes the subscription"
  )
  func valuesAtTheEnd() {
    let operators: [(Signal<Int, Never>) -> Signal<Int, Never>] = [
      { $0.append(7) }, { $0.take(last: 1) }, { $0.reduce(0) { $0 + $1 } },
      { $0.collect(count: 2).map { $0[0] } }, { $0.concat(Signal<Int, Never>.just(3)) },
    ]
    for transform in operators {
      log.value = []
      let values = Subject<Int, Never>()
      subscription.value = transform(values.doCompleted { [self] in dispose() })
        .doNext { [log] in log.value.append("value \($0)") }
        .doCompleted { [log] in log.value.append("completed") }
        .subscribe { _ in }
      values.send(1)
      log.value = []
      values.complete()
      #expect(log.value == ["disposed"])
    }
  }

  @Test("a signal is not run when the closure that returns it disposes the subscription")
  func answeredSignal() {
    typealias Numbers = Signal<Int, Never>
    let flattening: [(Numbers, @escaping @Sendable (Int) -> Numbers) -> Numbers] = [
      { $0.flatMap($1) }, { $0.flatMap(.concat, $1) }, { $0.flatMap(.latest, $1) },
      { $0.flatMap(.first, $1) },
      { $0.flatMap(.race, $1) }, { $0.flatMap(.merge(limit: 2), $1) },
      { $0.flatMap(.ordered(limit: 2), $1) }, { $0.map($1).switchToLatest() },
      { numbers, answer in numbers.bind { { .next(answer($0)) } } },
      { numbers, answer in numbers.bind { { .last(answer($0)) } } },
      { numbers, answer in numbers.take(first: 1).then { answer(0) } },
      { numbers, answer in numbers.take(first: 1).concat(Numbers.deferred { answer(0) }) },
      { numbers, answer in
        numbers.setFailureType(to: Oops.self).flatMap { _ in Signal<Int, Oops>.fail(Oops()) }
          .catch { _ in answer(0) }
      },
    ]
    for (index, flatten) in flattening.enumerated() {
      log.value = []
      let numbers = Subject<Int, Never>()
      let answered = flatten(numbers.signal) { [self] _ in
        dispose()
        return .create { [log] _ in
          log.value.append("run")
          return nil
        }
      }
      subscription.value = answered.subscribe { _ in }
      numbers.send(1)
      #expect(log.value == ["disposed"], "form \(index)")
    }
  }

  @Test("mapError, doFailed and finally call no closure when a source fails in a run that has ended")
  func failureAfterTheEnd() {
    let failing = Signal<Int, Oops>.attaching { sink in
      sink.subscription.dispose()
      sink.terminate(.failed(Oops()))
    }
    let mapped = failing.mapError { [log] error in
      log.value.append("mapError")
      return error
    }
    let observed = failing.doFailed { [log] _ in log.value.append("doFailed") }
    let finished = failing.finally { [log] in log.value.append("finally") }
    for signal in [mapped, observed, finished] { signal.subscribe(failed: { _ in }) }
    #expect(log.value == [])
  }

  @Test("flatMap does not call its closure when an operator before it disposes the subscription")
  func closureBehind() {
    let strategies: [FlattenStrategy<Never>] = [
      .merge, .merge(limit: 2), .ordered(limit: 2), .concat, .first, .latest, .race,
    ]
    for strategy in strategies {
      log.value = []
      let numbers = Subject<Int, Never>()
      let disposing = numbers.doNext { [self] _ in dispose() }
      subscription.value = disposing.flatMap(strategy) { [log] number in
        log.value.append("called")
        return .just(number)
      }.subscribe { _ in }
      numbers.send(1)
      #expect(log.value == ["disposed"], "\(strategy)")
    }
  }

  @Test(
    "using disposes the resource and does not run the signal when the signal closure disposes the subscription"
  )
  func usingSignal() {
    let trigger = Subject<Int, Never>()
    let signal = Signal<Int, Never>.using(
      resource: { ActionDisposable { [log] in log.value.append("closed") } },
      signal: { [self] _ in
        dispose()
        return .create { [log] _ in
          log.value.append("run")
          return nil
        }
      })
    subscription.value = trigger.take(first: 1).then { signal }.subscribe { _ in }
    trigger.send(0)
    #expect(log.value == ["closed", "disposed"])
  }

  @Test(
    "bind, initially, on, reduce and skip(until:) do not run their source if a closure or trigger ends the run"
  )
  func endedBeforeTheSource() {
    let trigger = Subject<Int, Never>()
    let end: @Sendable () -> Void = { trigger.send(0) }
    let forms: [(Signal<Int, Never>) -> Signal<Int, Never>] = [
      { $0.initially(end) },
      { [log] in $0.on(subscribed: end, disposed: { log.value.append("disposed") }) },
      { source in
        source.bind {
          end()
          return { .next(.just($0)) }
        }
      },
      { source in
        source.reduce(making: {
          end()
          return 0
        }) { $0 += $1 }
      },
      { source in
        source.skip(
          until: Signal<Int, Never>.create { _ in
            end()
            return nil
          })
      },
    ]
    for (index, form) in forms.enumerated() {
      log.value = []
      let source = Signal<Int, Never>.create { [log] _ in
        log.value.append("run")
        return nil
      }
      form(source).take(until: trigger).subscribe(completed: { [log] in log.value.append("completed") })
      #expect(log.value.filter { $0 != "disposed" } == ["completed"], "form \(index)")
      #expect(log.value.count { $0 == "disposed" } == (index == 1 ? 1 : 0))
    }
  }

  @Test("partitioned does not run its source when the run ends at its last partition")
  func partitioned() {
    let source = Signal<Int, Never>.create { [log] _ in
      log.value.append("run")
      return nil
    }
    source.partitioned(by: { $0 }, into: 2).take(first: 2).subscribe(
      next: { [log] in log.value.append("partition \($0.key)") },
      completed: { [log] in log.value.append("completed") })
    #expect(log.value == ["partition 0", "partition 1", "completed"])
  }

  @Test("partitioned sends no partition after the one at which the run ends")
  func firstPartition() {
    Signal<Int, Never>.never().partitioned(by: { $0 }, into: 3)
      .doNext { [log] in log.value.append("sent \($0.key)") }.take(first: 1)
      .subscribe(completed: { [log] in log.value.append("completed") })
    #expect(log.value == ["sent 0", "completed"])
  }
}
