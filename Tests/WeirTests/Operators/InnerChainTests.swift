// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// Synchronous inner signals with operators, which run without a subscription of their own.
struct InnerChainTests {
  private let source = Subject<Int, Oops>()
  private let taken = Counter()

  /// The numbers one to four; counts the elements taken.
  private struct Numbers: Sequence, IteratorProtocol, Sendable {
    let taken: Counter
    var last = 0
    mutating func next() -> Int? {
      if last == 4 { return nil }
      taken.add()
      last += 1
      return last
    }
  }

  private var numbers: Signal<Int, Oops> { Signal(Numbers(taken: taken)) }

  static let strategies: [FlattenStrategy<Oops>] = [
    .merge, .merge(limit: 2), .ordered(limit: 2), .concat, .latest,
  ]

  @Test(
    "A9: a failure in an operator of an inner signal fails the run, and stops the inner source at once",
    arguments: strategies.indices)
  func failure(index: Int) {
    let recorder = Recorder(
      source.flatMap(Self.strategies[index]) { [numbers] factor in
        numbers.map { (number) throws(Oops) in
          if number * factor == 30 { throw Oops(code: number) }
          return number * factor
        }.filter { $0 != 20 }
      })
    source.send(1)
    source.send(10)
    source.send(100)
    #expect(recorder.events == [.next(1), .next(2), .next(3), .next(4), .next(10), .failed(Oops(code: 3))])
    #expect(taken.value == 4 + 3)
  }

  @Test(
    "take(first:) in an inner signal ends that signal only, and stops the inner source at once",
    arguments: strategies.indices)
  func early(index: Int) {
    let recorder = Recorder(
      source.flatMap(Self.strategies[index]) { [numbers] factor in
        numbers.map { $0 * factor }.take(first: 2).map { $0 + 1 }
      })
    source.send(1)
    source.send(10)
    source.complete()
    #expect(recorder.events == [.next(2), .next(3), .next(11), .next(21), .completed])
    #expect(taken.value == 4)
  }

  @Test("the operators of each inner signal start with new state", arguments: strategies.indices)
  func state(index: Int) {
    let recorder = Recorder(
      source.flatMap(Self.strategies[index]) { [numbers] factor in
        numbers.scan(factor, +).distinctUntilChanged().enumerated().map { $0.offset * 100 + $0.element }
          .reduce(0, +)
      })
    source.send(1)
    source.send(10)
    #expect(recorder.values == [600 + 2 + 4 + 7 + 11, 600 + 11 + 13 + 16 + 20])
  }

  /// The operators that end only with their source; of each, what it makes of the numbers one to four.
  private static let ending: [String: @Sendable (Signal<Int, Oops>) -> Signal<Int, Oops>] = [
    "skip(first:)": { $0.skip(first: 2) }, "skip(last:)": { $0.skip(last: 2) },
    "skip(while:)": { $0.skip(while: { $0 < 3 }) }, "take(last:)": { $0.take(last: 2) },
    "collect(count:)": { $0.collect(count: 3).map(\.count) }, "collect()": { $0.collect().map(\.count) },
    "measureInterval": { $0.measureInterval(on: VirtualScheduler()).map { Int($0.interval / .seconds(1)) } },
    "map": { $0.map { $0 + 1 } }, "filter": { $0.filter { $0 > 1 } }, "scan": { $0.scan(0, +) },
    "enumerated": { $0.enumerated().map(\.offset) }, "min": { $0.min() },
  ]

  @Test(
    "an operator that ends only with its source does its work in an inner signal, without a run of its own",
    arguments: ending.keys.sorted())
  func inPlace(name: String) throws {
    let chain = try #require(Self.ending[name])
    let inner = chain(numbers)
    #expect(inner.ownTiming == .immediate)
    let alone = Recorder(inner)
    #expect(alone.completion == .completed)
    for strategy in Self.strategies {
      let source = Subject<Int, Oops>()
      let recorder = Recorder(source.flatMap(strategy) { _ in inner })
      source.send(0)
      source.send(0)
      source.complete()
      #expect(recorder.events == (alone.values + alone.values).map { .next($0) } + [.completed])
    }
  }

  @Test("disposal during an inner value stops the inner source at once", arguments: strategies.indices)
  func disposed(index: Int) {
    let subscription = Subscription()
    let values = Box<[Int]>([])
    source.flatMap(Self.strategies[index]) { [numbers] _ in numbers.map { $0 } }.attach(
      Sink(
        next: {
          values.value.append($0)
          if $0 == 2 { subscription.dispose() }
        }, terminate: { _ in }, subscription: subscription))
    source.send(1)
    #expect(values.value == [1, 2])
    #expect(taken.value == 2)
  }
}
