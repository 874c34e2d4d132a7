// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

private typealias Numbers = Signal<Int, TestFailure>

/// What Migration.md gives for names of Rx.NET that Weir does not have.
struct MigrationRxNetTests {
  private let scheduler = VirtualScheduler()

  /// The function of the article.
  private func arrays<Value: Sendable, Failure>(
    of values: Signal<Value, Failure>, count: Int, every skip: Int
  ) -> Signal<[Value], Failure> {
    values.map(Optional.some).append(nil)
      .scan(into: (seen: 0, open: [[Value]](), sent: [[Value]]())) { arrays, value in
        arrays.sent = []
        guard let value else {
          arrays.sent = arrays.open
          return
        }
        if arrays.seen % skip == 0 { arrays.open.append([]) }
        arrays.seen += 1
        for index in arrays.open.indices { arrays.open[index].append(value) }
        if arrays.open.first?.count == count { arrays.sent = [arrays.open.removeFirst()] }
      }
      .map(\.sent)
      .joined()
  }

  @Test(
    "buffer(count, skip): arrays that overlap or leave values out; the completion sends the unfinished ones",
    arguments: [
      (3, 2, [[1, 2, 3], [3, 4, 5], [5, 6, 7], [7, 8]]), (2, 3, [[1, 2], [4, 5], [7, 8]]),
      (3, 3, [[1, 2, 3], [4, 5, 6], [7, 8]]), (3, 1, (1...6).map { [$0, $0 + 1, $0 + 2] } + [[7, 8], [8]]),
    ])
  func overlapping(count: Int, skip: Int, expected: [[Int]]) {
    #expect(Recorder(arrays(of: Numbers(1...8), count: count, every: skip)).values == expected)
    let failing = Recorder(arrays(of: Numbers(1...8).concat(.fail(TestFailure())), count: 9, every: 1))
    #expect(failing.events == [.failed(TestFailure())])
  }

  @Test("buffer(time, shift): every two seconds an array of what comes within three")
  func overlappingInTime() throws {
    let source = try HotSignal<Int, Never>("-123456-|", on: scheduler, tick: .seconds(1))
    let scheduler = self.scheduler
    let openings = Signal.ticks(every: .seconds(2), on: scheduler).startWith(())
    let arrays = Recorder(
      openings.take(until: source.ignoreValues()).flatMap {
        source.take(for: .seconds(3), on: scheduler).collect()
      })
    scheduler.run()
    #expect(arrays.values == [[1, 2, 3], [3, 4, 5], [5, 6], []])
  }

  @Test("buffer(time, shift) of a source that can fail: its failure ends the result")
  func overlappingOfFailing() throws {
    let failure = TestFailure()
    let source = try HotSignal<Int, TestFailure>(
      "-123456-#", on: scheduler, tick: .seconds(1), failure: failure)
    let scheduler = self.scheduler
    let openings = Signal.ticks(every: .seconds(2), on: scheduler).startWith(())
      .setFailureType(to: TestFailure.self)
    let arrays = Recorder(
      openings.take(until: source.ignoreValues().materialize())
        .flatMap { source.take(for: .seconds(3), on: scheduler).collect() }
        .merge(with: source.ignoreValues()))
    scheduler.run()
    #expect(arrays.values == [[1, 2, 3], [3, 4, 5], [5, 6]] && arrays.completion == .failed(failure))
  }

  /// The function of the article.
  private func joined<Left: Sendable, Right: Sendable, Failure>(
    _ left: Signal<Left, Failure>, for leftTime: Duration, _ right: Signal<Right, Failure>,
    for rightTime: Duration, on scheduler: some TimedScheduler
  ) -> Signal<(Left, Right), Failure> {
    let laterRight = left.flatMap { left in
      right.take(for: leftTime, on: scheduler).map { right in (left, right) }
    }
    let laterLeft = right.flatMap { right in
      left.take(for: rightTime, on: scheduler).map { left in (left, right) }
    }
    return laterRight.merge(with: laterLeft)
  }

  @Test("join: each pair of an order and a fill of which one comes while the other one's time is not over")
  func join() throws {
    let orders = try HotSignal<Int, TestFailure>("-1----2-----|", on: scheduler)
    let fills = try HotSignal<Character, TestFailure>("a---b----c--|", on: scheduler)
    let pairs = TimedRecorder(
      joined(orders.signal, for: .seconds(5), fills.signal, for: .seconds(1), on: scheduler)
        .map { "\($0)\($1)" }, on: scheduler)
    scheduler.run()
    #expect(
      pairs.events == [
        Recorded(.seconds(1), .next("1a")), Recorded(.seconds(4), .next("1b")),
        Recorded(.seconds(9), .next("2c")), Recorded(.seconds(12), .completed),
      ])
  }

  @Test(
    "sequenceEqual: whether the values are equal and as many",
    arguments: [
      ([1, 2], [1, 2], true), ([1, 2], [1], false), ([], [1], false), ([1], [2], false), ([], [], true),
    ])
  func sequenceEqual(first: [Int], second: [Int], expected: Bool) {
    let (first, second) = (Numbers(first), Numbers(second))
    let answer = first.map(Optional.some).append(nil)
      .zip(with: second.map(Optional.some).append(nil))
      .all(where: { $0 == $1 })
    #expect(Recorder(answer).values == [expected])
  }

  @Test(
    "sequenceEqual answers, and stops both, as soon as one differs or is shorter, also beside an endless one",
    arguments: [([1, 3], false, true), ([1], true, true), ([1], false, false)])
  func sequenceEqualEarly(sent: [Int], ends: Bool, answers: Bool) {
    let (first, second) = (Subject<Int, TestFailure>(), Subject<Int, TestFailure>())
    let answer = Recorder(
      first.map(Optional.some).append(nil)
        .zip(with: second.map(Optional.some).append(nil))
        .all(where: { $0 == $1 }))
    for value in [1, 2] { second.send(value) }
    for value in sent { first.send(value) }
    if ends { first.complete() }
    #expect(answer.values == (answers ? [false] : []))
    for source in [first, second] { #expect(source.subscriberCount == (answers ? 0 : 1)) }
  }

  /// The function of the article.
  private func looping<Value, Failure>(
    while isTrue: @escaping @Sendable () -> Bool, _ body: Signal<Value, Failure>
  ) -> Signal<Value, Failure> {
    .deferred { isTrue() ? body.concat(Signal.deferred { looping(while: isTrue, body) }) : .empty() }
  }

  @Test("while: the body runs as long as the condition is true, also ten thousand times")
  func loop() {
    let asked = Counter()
    let loop = looping(while: { asked.add() < roundsOfEach }, Numbers.just(7))
    #expect(Recorder(loop.count()).values == [roundsOfEach])
    #expect(asked.value == roundsOfEach + 1)
  }

  @Test("onErrorResumeNext, isEmpty, toDictionary")
  func small() {
    let (failing, next) = (Numbers([1, 2]).concat(.fail(TestFailure())), Numbers([3]))
    for first in [failing, Numbers([1, 2])] {
      #expect(Recorder(first.catch { _ in .empty() }.concat(next)).events.count == 4)
    }
    let isEmpty = { (signal: Numbers) in Recorder(signal.any(where: { _ in true }).not()).values }
    #expect(isEmpty(.empty()) == [true] && isEmpty(.just(3)) == [false])
    let table = Numbers([1, 2, 3]).reduce(into: [Int: Int]()) { $0[$1 % 2] = $1 }
    #expect(Recorder(table).values == [[0: 2, 1: 3]])
  }

  @Test("takeLast(time): at the completion, the values of the last seconds")
  func lastSeconds() throws {
    let (source, scheduler) = (try HotSignal<Int, TestFailure>("1-2-3-4-|", on: scheduler), self.scheduler)
    let last = TimedRecorder(
      Numbers.deferred {
        let recent = ReplaySubject<Int, TestFailure>(capacity: .within(.seconds(5), on: scheduler))
        return source.doNext { recent.send($0) }.doCompleted { recent.complete() }
          .ignoreValues().concat(recent)
      }, on: scheduler)
    scheduler.run()
    #expect(last.difference(from: "--------(34|)") == nil)
  }

  @Test("HistoricalScheduler: a log is played in the times of its entries")
  func history() {
    let log = [(time: Duration.seconds(1), value: 1), (.seconds(1), 2), (.seconds(4), 3)]
    let source = HotSignal<Int, Never>(log.map { Recorded($0.time, .next($0.value)) }, on: scheduler)
    let recorder = TimedRecorder(source.debounce(.seconds(2), on: scheduler), on: scheduler)
    scheduler.run()
    #expect(
      recorder.events == [Recorded(.seconds(3), .next(2)), Recorded(.seconds(6), .next(3))])
  }

  @Test("tests of RxTest: a hop takes no time; an interval includes events at its start, and none at its end")
  func ticks() {
    func milliseconds(_ count: Int) -> Duration { .milliseconds(count) }
    let source = HotSignal<Int, Never>(
      [
        Recorded(milliseconds(200), .next(1)), Recorded(milliseconds(210), .next(2)),
        Recorded(milliseconds(1_000), .next(3)),
      ], on: scheduler)
    let recorder = TimedRecorder(
      source.observe(on: scheduler), on: scheduler,
      during: SubscriptionInterval(start: milliseconds(200), end: milliseconds(1_000)))
    scheduler.run()
    #expect(
      recorder.events == [Recorded(milliseconds(200), .next(1)), Recorded(milliseconds(210), .next(2))])
    #expect(
      source.subscriptions == [SubscriptionInterval(start: milliseconds(200), end: milliseconds(1_000))])
  }
}
