// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

func weir(_ name: Timed, of signal: Numbers, on scheduler: StoppableScheduler) -> Numbers {
  switch name {
  case .delay(let time, let room):
    signal.delay(.microseconds(time), on: scheduler, waiting: backlog(room))
  case .debounce(let time): signal.debounce(.microseconds(time), on: scheduler)
  case .debounceOdd(let time): signal.debounce(.microseconds(time), on: scheduler) { $0 % 2 != 0 }
  case .rateLimit(let time, let edge):
    signal.rateLimit(to: .microseconds(time), on: scheduler, edge: weir(edge))
  case .idle(let time):
    signal.timeout(.idle(.microseconds(time)), on: scheduler, failing: TestFailure(90))
  case .deadline(let time):
    signal.timeout(.deadline(.microseconds(time)), on: scheduler, failing: TestFailure(91))
  case .collect(let time, let count):
    signal.collect(count: count, within: .microseconds(time), on: scheduler).map { digits($0) }
  case .collectWithin(let time, let room):
    signal.collect(within: .microseconds(time), on: scheduler, waiting: backlog(room)).map { digits($0) }
  case .sample(let time): signal.sample(every: .microseconds(time), on: scheduler)
  case .takeFor(let time): signal.take(for: .microseconds(time), on: scheduler)
  case .skipFor(let time): signal.skip(for: .microseconds(time), on: scheduler)
  case .delaySubscription(let time): signal.delaySubscription(.microseconds(time), on: scheduler)
  case .retry(let time, let count):
    signal.retry(.upTo(count).delayed(by: .microseconds(time), on: scheduler))
  case .window(let time, let count):
    signal.window(count: count, every: .microseconds(time), on: scheduler)
      .flatMap { $0.collect().map { digits($0) } }
  case .group(let time, let divisor):
    signal.group(
      by: { remainder($0, divisor) }, lifetime: .untilIdle(for: .microseconds(time), on: scheduler)
    ).flatMap { $0.signal.collect().map { digits($0) } }
  case .hop(let room, let whenNeeded, let failsAtOnce):
    signal.observe(
      on: scheduler, whenNeeded ? .whenNeeded : .always, waiting: backlog(room),
      failures: failsAtOnce ? .atOnce : .inOrder)
  case .subscribing: signal.subscribing(on: scheduler)
  case .values(let room):
    Signal(signal.values(waiting: backlog(room)), executorPreference: scheduler.tasks)
  case .chunks(let room):
    Signal<[Int], TestFailure>(
      signal.values(waiting: backlog(room)).chunks, executorPreference: scheduler.tasks
    ).map { digits($0) }
  case .awaited(let name):
    .task(executorPreference: scheduler.tasks) { () async throws(TestFailure) -> Int in
      switch name {
      case .first: try await signal.firstValue() ?? 50
      case .last: try await signal.lastValue() ?? 51
      case .all: digits(try await signal.allValues())
      case .completion: try await signal.completion() ? 61 : 60
      }
    }
  }
}

private func weir(_ edge: Timed.Edge) -> RateLimitEdge {
  switch edge {
  case .leading: .leading
  case .trailing: .trailing
  case .both: .both
  }
}

func backlog(_ room: Room?) -> Backlog<TestFailure> {
  guard let room else { return .standard }
  return switch room.excess {
  case .newest: .bounded(room.count, onOverflow: .dropNewest)
  case .oldest: .bounded(room.count, onOverflow: .dropOldest)
  case .fails: .bounded(room.count, onOverflow: .fail(TestFailure(80)))
  }
}
