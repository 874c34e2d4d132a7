// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// Operators with one upstream that only the shapes `chain` and `objects` have.
func later(_ name: Unary, of signal: Numbers) -> Numbers {
  switch name {
  case .halves: signal.compactMap { remainder($0, 2) == 0 ? $0 / 2 : nil }
  case .enumerated: signal.enumerated().map { digits([$0.offset, $0.element]) }
  case .previous(let first): signal.combinePrevious(first).map { digits([$0.previous, $0.current]) }
  case .scanIndexed: signal.scanIndexed(0) { ($0 &+ $1) &* 2 &+ $2 }
  case .scanInto: signal.scan(into: []) { $0.append($1) }.map { digits($0) }
  case .reduceIndexed: signal.reduceIndexed(0) { ($0 &+ $1) &* 2 &+ $2 }
  case .reduceInto: signal.reduce(into: []) { $0.append($1) }.map { digits($0) }
  case .minimum: signal.min()
  case .maximum: signal.max()
  case .count: signal.count()
  case .contains(let value): numbers(signal.contains(value))
  case .any(let limit): numbers(signal.any(where: { $0 > limit }))
  case .all(let limit): numbers(signal.all(where: { $0 < limit }))
  case .ignoring(let value): signal.ignore(value)
  case .distinctKeys(let divisor):
    signal.distinctUntilChanged { remainder($0, divisor) == remainder($1, divisor) }
  case .takeUntilValue(let value, let isIncluded):
    signal.take(until: { $0 == value }, boundary: isIncluded ? .included : .excluded)
  case .skipUntil(let value): signal.skip(until: { $0 == value })
  case .replaced(let value): signal.mapReplace(value)
  case .twice: signal.map { [$0, $0 &+ 1] }.joined()
  case .ifEmptyValue(let value): signal.defaultIfEmpty(value)
  case .stopping(let last):
    signal.bind {
      { value in
        if value == Unary.stop { return .stop }
        let both = Numbers([value, value &+ 1])
        return value == last ? .last(both) : .next(both)
      }
    }
  case .retryForever: signal.retry()
  case .repeatForever: signal.repeat()
  case .retryUnless(let code): signal.retry(.upTo(2).givingUp { error, _ in error.code == code })
  case .retryInRow(let count): signal.retry(.upTo(count).resettingOnValue())
  case .attempt(let bad):
    signal.attempt { if $0 == bad { throw TestFailure(bad) } }.mapError {
      $0 as? TestFailure ?? TestFailure(99)
    }
  case .groupUntilValue(let last, let divisor):
    grouped(signal, by: divisor, .until { $0.signal.filter { $0 == last } })
  default: signal
  }
}

func grouped(
  _ signal: Numbers, by divisor: Int, _ lifetime: GroupLifetime<Int, Int, TestFailure>
) -> Numbers {
  signal.group(by: { remainder($0, divisor) }, lifetime: lifetime)
    .flatMap { $0.signal.collect().map { digits($0) } }
}

private func numbers(_ signal: Signal<Bool, TestFailure>) -> Numbers { signal.map { $0 ? 1 : 0 } }

extension Numbers {
  func performing(_ deed: @escaping @Sendable () -> Void, _ occasion: CleanUp.Occasion) -> Numbers {
    switch occasion {
    case .disposed: on(disposed: deed)
    case .finally: finally(deed)
    case .initially: initially(deed)
    case .subscribed: on(subscribed: deed)
    case .next: doNext { _ in deed() }
    case .failed: doFailed { _ in deed() }
    case .completed: doCompleted(deed)
    }
  }
}
