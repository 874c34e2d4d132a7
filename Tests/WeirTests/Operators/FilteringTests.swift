// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What each filtering operator lets through.
struct FilteringTests {
  private func events(_ signal: Signal<Int, Oops>) -> [Event<Int, Oops>] { Recorder(signal).events }
  private let numbers = Signal<Int, Oops>(1...6)

  @Test("take(while:) ends before the boundary value, or after it if included, and stops the source")
  func takeWhile() {
    #expect(events(numbers.take(while: { $0 < 3 })) == [.next(1), .next(2), .completed])
    #expect(
      events(numbers.take(while: { $0 < 3 }, boundary: .included)) == [
        .next(1), .next(2), .next(3), .completed,
      ])
    let asked = Counter()
    let endless = Signal<Int, Oops>(sequence(first: 0) { $0 + 1 }).doNext { _ in asked.add() }
    #expect(events(endless.take(while: { $0 < 2 })) == [.next(0), .next(1), .completed])
    #expect(asked.value == 3)
  }

  @Test("take(until:) is take(while:) with the predicate negated")
  func takeUntil() {
    #expect(events(numbers.take(until: { $0 == 3 })) == [.next(1), .next(2), .completed])
    #expect(
      events(numbers.take(until: { $0 == 1 }, boundary: .included)) == [.next(1), .completed])
    #expect(events(numbers.take(until: { $0 > 9 })).count == 7)
  }

  @Test("take(while:) ends at a value outside its predicate that is sent during a delivery")
  func takeWhileReentrant() {
    let subject = Subject<Int, Oops>()
    let seen = Box<[Event<Int, Oops>]>([])
    subject.take(while: { $0 < 2 }).materialize().subscribe { [unowned subject] event in
      seen.value.append(event)
      if event == .next(0) { for value in [1, 2, 1] { subject.send(value) } }
    }
    subject.send(0)
    subject.send(1)
    #expect(seen.value == [.next(0), .next(1), .completed])
  }

  @Test("take(while:) sends nothing after its completion when the source calls its sink within a delivery")
  func takeWhileCareless() {
    let sink = Box<Sink<Int, Oops>?>(nil)
    let source = Signal<Int, Oops>.attaching { sink.value = $0 }
    let seen = Box<[Event<Int, Oops>]>([])
    source.take(while: { $0 < 2 }, boundary: .included).subscribe(
      next: { value in
        seen.value.append(.next(value))
        if value == 2 {
          sink.value?.next(0)
          sink.value?.terminate(.failed(Oops()))
        }
      }, failed: { seen.value.append(.failed($0)) }, completed: { seen.value.append(.completed) })
    sink.value?.next(1)
    sink.value?.next(2)
    sink.value?.next(1)
    #expect(seen.value == [.next(1), .next(2), .completed])
  }

  @Test("skip(while:) and skip(until:) pass on the deciding value, and do not call the predicate again")
  func skipWhile() {
    let asked = Counter()
    let skipped = numbers.skip(while: {
      asked.add()
      return $0 < 3
    })
    #expect(events(skipped) == [.next(3), .next(4), .next(5), .next(6), .completed])
    #expect(asked.value == 3)
    #expect(events(numbers.skip(until: { $0 == 6 })) == [.next(6), .completed])
    #expect(events(numbers.skip(until: { $0 == 7 })) == [.completed])
  }

  @Test(
    "distinctUntilChanged drops only consecutive repeats, by value, key or comparison, for each subscription"
  )
  func distinct() {
    let repeats = Signal<Int, Oops>([1, 1, 2, 2, 2, 1, 3, 5]).distinctUntilChanged()
    for _ in 0..<2 { #expect(Recorder(repeats).values == [1, 2, 1, 3, 5]) }
    #expect(Recorder(numbers.distinctUntilKeyChanged { $0 / 2 }).values == [1, 2, 4, 6])
    let keys = Box<[Int]>([])
    let once = numbers.distinctUntilKeyChanged { value in
      keys.value.append(value)
      return value / 2
    }
    #expect(Recorder(once).values == [1, 2, 4, 6])
    #expect(keys.value == Recorder(numbers).values, "the key is asked for once for each value")
    #expect(Recorder(numbers.distinctUntilChanged(comparing: { $1 - $0 < 2 })).values == [1, 3, 5])
    let optionals = Signal<Int?, Never>([nil, nil, 1, nil]).distinctUntilChanged()
    #expect(Recorder(optionals).values == [nil, 1, nil])
  }

  @Test("ignoreValues leaves the type of values of its source to the source, such as a task of several lines")
  func ignoredTask() async throws {
    @Sendable func store(_ value: Int) async throws {}
    func stored(_ values: Signal<Int, any Error>) -> Signal<Never, any Error> {
      values.flatMap(.concat) { value in
        .task {
          try await store(value)
          try await store(value)
        }
      }.ignoreValues()
    }
    try await stored(Signal([1, 2])).completion()
  }

  @Test("ignore drops values equal to its argument, ignoreValues drops all values")
  func ignore() {
    #expect(Recorder(numbers.ignore(3)).values == [1, 2, 4, 5, 6])
    #expect(events(numbers.ignoreValues()) == [.completed])
    let ends: Signal<Never, Oops> = numbers.ignoreValues()
    let _: Signal<String, Oops> = numbers.ignoreValues()
    #expect(Recorder(ends).events == [.completed])
    #expect(Recorder(Signal<String, Oops>.just("a").merge(with: numbers.ignoreValues())).values == ["a"])
  }

  @Test("element(at:) sends the value at its index, or completes without one")
  func elementAt() {
    #expect(events(numbers.element(at: 0)) == [.next(1), .completed])
    #expect(events(numbers.element(at: 5)) == [.next(6), .completed])
    #expect(events(numbers.element(at: 6)) == [.completed])
    #expect(events(numbers.element(at: 6).switchIfEmpty(.fail(Oops()))) == [.failed(Oops())])
  }

  @Test("take(last:) sends the last values at completion, none on a failure, and stops when the run ends")
  func takeLast() {
    #expect(events(numbers.take(last: 2)) == [.next(5), .next(6), .completed])
    #expect(events(numbers.take(last: 0)) == [.completed])
    #expect(Recorder(numbers.take(last: 99)).values == [1, 2, 3, 4, 5, 6])
    #expect(events(numbers.concat(Signal.fail(Oops())).take(last: 2)) == [.failed(Oops())])
    #expect(events(numbers.take(last: 3).take(first: 1)) == [.next(4), .completed])
    let subject = Subject<Int, Oops>()
    let slot = SerialDisposable()
    let seen = Box<[Int]>([])
    let sent = Counter()
    slot.swap(
      subject.take(last: 3).doNext { _ in sent.add() }.subscribe {
        seen.value.append($0)
        if $0 == 2 { slot.dispose() }
      })
    for value in 1...3 { subject.send(value) }
    subject.complete()
    #expect(seen.value == [1, 2])
    #expect(sent.value == 2)
  }
}
