// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import Weir
package import WeirTesting

package typealias Numbers = Signal<Int, TestFailure>

/// The counterpart of the model's flow, built with Weir's operators.
func weir(_ name: Unary, of signal: Numbers) -> Numbers {
  switch name {
  case .add(let number): signal.map { $0 &+ number }
  case .filter(let rest): signal.filter { remainder($0, 3) != rest % 3 }
  case .scan: signal.scan(0) { $0 &+ $1 }
  case .pairs: signal.pairwise().map { digits([$0.previous, $0.current]) }
  case .distinct: signal.distinctUntilChanged()
  case .collect(let count): signal.collect(count: count).map { digits($0) }
  case .sum: signal.reduce(0) { $0 &+ $1 }
  case .ignore: signal.ignoreValues()
  case .take(let count): signal.take(first: count)
  case .takeLast(let count): signal.take(last: count)
  case .takeWhile(let limit): signal.take(while: { $0 < limit })
  case .element(let index): signal.element(at: index)
  case .skip(let count): signal.skip(first: count)
  case .skipLast(let count): signal.skip(last: count)
  case .skipWhile(let limit): signal.skip(while: { $0 < limit })
  case .startWith(let value): signal.startWith(value)
  case .append(let value): signal.append(value)
  case .failAt(let bad):
    signal.map { (value) throws(TestFailure) in
      if value == bad { throw TestFailure(bad) }
      return value
    }
  case .recode: signal.mapError { TestFailure($0.code + 1) }
  case .retry(let count): signal.retry(upTo: count)
  case .repeated(let count): signal.repeat(times: count)
  case .materialized:
    signal.materialize().map { number(of: Happening($0)) }.setFailureType(to: TestFailure.self)
  case .roundTrip: signal.materialize().dematerialize()
  case .group(let divisor):
    signal.group { remainder($0, divisor) }.flatMap { $0.signal.take(first: 2) }
  case .window(let count):
    signal.window(count: count).flatMap { $0.reduce(0) { $0 &+ $1 } }
  case .catchAndReturn(let value): signal.catchAndReturn(value).setFailureType(to: TestFailure.self)
  case .partition(let count):
    signal.partitioned(by: remainderOrFailure, into: count).flatMap { partition in
      partition.signal.group { remainder($0, 3) }.flatMap { $0.signal.take(first: 2) }
    }
  case .partitionKeys(let count): signal.partitioned(by: { $0 }, into: count).map { $0.key }
  case .partitionEnds(let count):
    signal.partitioned(by: { $0 }, into: count).flatMap(.concat) {
      $0.signal.ignoreValues().append($0.key)
    }
  case .firstPartitions(let count):
    signal.partitioned(by: { $0 }, into: 2).take(first: count).flatMap { $0.signal }
  default: later(name, of: signal)
  }
}

@Sendable private func remainderOrFailure(_ value: Int) throws(TestFailure) -> Int {
  if value == 4 { throw TestFailure(4) }
  return remainder(value, 3)
}

func weir(_ name: Binary, of first: Numbers, _ second: Numbers, on scheduler: StoppableScheduler) -> Numbers {
  switch name {
  case .zip: first.zip(with: second).map { digits([$0, $1]) }
  case .combineLatest: first.combineLatest(with: second).map { digits([$0, $1]) }
  case .withLatest: first.withLatest(from: second).map { digits([$0, $1]) }
  case .sample: first.sample(on: second)
  case .takeUntil: first.take(until: second)
  case .takeUntilReplacement: first.take(untilReplacement: second)
  case .skipUntil: first.skip(until: second)
  case .catchTo: first.catchTo(second)
  case .ifEmpty: first.switchIfEmpty(second)
  case .then: first.then { second }
  case .zipWithin(let room): first.zip(with: second, waiting: backlog(room)).map { digits([$0, $1]) }
  case .timeout(let time):
    first.timeout(.idle(.microseconds(time)), on: scheduler, switchingTo: second)
  case .groupUntil(let divisor): grouped(first, by: divisor, .until { _ in second })
  case .retryAfter: first.retry(.upTo(2).delayed { _, _ in second.catchAndReturn(7) })
  }
}

func weir(_ name: Many, of signals: [Numbers]) -> Numbers {
  switch name {
  case .merge: .merge(signals)
  case .concat: .concat(signals)
  case .zip: .zip(signals).map { digits($0) }
  case .combineLatest: .combineLatest(signals).map { digits($0) }
  case .race: .race(signals)
  case .zipPack: row(.zip(signals[0], signals[1], signals[2]))
  case .combineLatestPack: row(.combineLatest(signals[0], signals[1], signals[2]))
  case .withLatestPack: row(signals[0].withLatest(from: signals[1], signals[2]))
  }
}

private func row(_ signal: Signal<(Int, Int, Int), TestFailure>) -> Numbers {
  signal.map { digits([$0.0, $0.1, $0.2]) }
}

func weir(_ strategy: Strategy) -> FlattenStrategy<TestFailure> {
  switch strategy {
  case .merge: .merge
  case .limit(let limit, let room): .merge(limit: limit, waiting: backlog(room))
  case .ordered(let limit, let room): .ordered(limit: limit, waiting: backlog(room))
  case .latest: .latest
  case .first: .first
  case .race: .race
  }
}

extension Happening {
  init(_ event: Event<Int, TestFailure>) {
    switch event {
    case .next(let value): self = .value(value)
    case .failed(let error): self = .failed(error.code)
    case .completed: self = .completed
    }
  }

  var event: Event<Int, TestFailure> {
    switch self {
    case .value(let value): .next(value)
    case .failed(let code): .failed(TestFailure(code))
    case .completed: .completed
    }
  }
}
