// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// map, filter, scan and skip: what each does with values.
struct TransformTests {
  @Test("map passes on the result for each value, in order")
  func map() {
    #expect(Recorder(Signal<Int, Never>([1, 2, 3]).map { "<\($0)>" }).values == ["<1>", "<2>", "<3>"])
    #expect(Recorder(Signal<String, Never>(["a", "bb"]).map(\.count)).values == [1, 2])
  }

  @Test("map calls its closure once for each value and subscriber")
  func mapCalls() {
    let calls = Counter()
    let subject = Subject<Int, Never>()
    let mapped = subject.map { value in
      calls.add()
      return value
    }
    subject.send(0)
    mapped.subscribe()
    mapped.subscribe()
    subject.send(1)
    #expect(calls.value == 2)
  }

  @Test("filter passes on the values its closure accepts")
  func filter() {
    #expect(
      Recorder(Signal<Int, Never>(0..<6).filter { $0 % 2 == 1 }).events == [
        .next(1), .next(3), .next(5), .completed,
      ])
    #expect(Recorder(Signal<Int, Never>(0..<6).filter { _ in false }).events == [.completed])
  }

  @Test("scan passes on each result, not the start, and begins anew for each subscriber")
  func scan() {
    let sums = Signal<Int, Never>([1, 2, 3]).scan(10) { $0 + $1 }
    #expect(Recorder(sums).events == [.next(11), .next(13), .next(16), .completed])
    #expect(Recorder(sums).values == [11, 13, 16])
    #expect(Recorder(Signal<Int, Never>.empty().scan(10) { $0 + $1 }).events == [.completed])
  }

  @Test("scan keeps its result apart for subscribers of one subject")
  func scanApart() {
    let subject = Subject<Int, Never>()
    let sums = subject.scan(0) { $0 + $1 }
    let first = Recorder(sums)
    subject.send(1)
    let second = Recorder(sums)
    subject.send(2)
    #expect((first.values, second.values) == ([1, 3], [2]))
  }

  @Test("scan holds one result only, and releases it at the end")
  func scanReleases() {
    let resources = Resources()
    let subject = Subject<Int, Never>()
    let subscription = subject.scan(resources.make()) { _, _ in resources.make() }.subscribe()
    for value in 0..<5 { subject.send(value) }
    // The start is the signal's, which is gone; the state holds the latest.
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
  }

  @Test("skip drops the first values of each subscription", arguments: [0, 1, 3, 5])
  func skip(count: Int) {
    let signal = Signal<Int, Never>([0, 1, 2]).skip(first: count)
    let expected = [0, 1, 2].dropFirst(count).map { Event<Int, Never>.next($0) } + [.completed]
    #expect(Recorder(signal).events == expected)
    #expect(Recorder(signal).events == expected)
  }

  @Test("skip does not hold back a failure")
  func skipFailure() {
    #expect(Recorder(Signal<Int, Oops>.fail(Oops()).skip(first: 3)).events == [.failed(Oops())])
  }

  @Test("operators chain on what they are given: a closure sees only values that came that far")
  func order() {
    let seen = Box<[Int]>([])
    let recorder = Recorder(
      Signal<Int, Never>(0...).filter { $0 % 3 == 0 }.skip(first: 1).map { value in
        seen.value.append(value)
        return value * 10
      }.take(first: 2))
    #expect(recorder.values == [30, 60])
    #expect(seen.value == [3, 6])
  }
}
