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

  @Test("scan passes on each result, not the initial value, and starts anew for each subscriber")
  func scan() {
    let sums = Signal<Int, Never>([1, 2, 3]).scan(10) { $0 + $1 }
    #expect(Recorder(sums).events == [.next(11), .next(13), .next(16), .completed])
    #expect(Recorder(sums).values == [11, 13, 16])
    #expect(Recorder(Signal<Int, Never>.empty().scan(10) { $0 + $1 }).events == [.completed])
  }

  @Test("scan has separate state for each subscriber of a subject")
  func scanApart() {
    let subject = Subject<Int, Never>()
    let sums = subject.scan(0) { $0 + $1 }
    let first = Recorder(sums)
    subject.send(1)
    let second = Recorder(sums)
    subject.send(2)
    #expect((first.values, second.values) == ([1, 3], [2]))
  }

  @Test("scan retains only its latest result, and releases it on disposal")
  func scanReleases() {
    let resources = Resources()
    let subject = Subject<Int, Never>()
    let subscription = subject.scan(resources.make()) { _, _ in resources.make() }.subscribe()
    for value in 0..<5 { subject.send(value) }
    // The initial value belonged to the signal, which has been released; the state retains the latest.
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
  }

  @Test("skip(first:) drops the first values of each subscription", arguments: [0, 1, 3, 5])
  func skip(count: Int) {
    let signal = Signal<Int, Never>([0, 1, 2]).skip(first: count)
    let expected = [0, 1, 2].dropFirst(count).map { Event<Int, Never>.next($0) } + [.completed]
    #expect(Recorder(signal).events == expected)
    #expect(Recorder(signal).events == expected)
  }

  @Test("skip(first:) passes on a failure before its count is reached")
  func skipFailure() {
    #expect(Recorder(Signal<Int, Oops>.fail(Oops()).skip(first: 3)).events == [.failed(Oops())])
  }

  @Test("a closure in a chain receives only the values that the operators upstream pass on")
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
