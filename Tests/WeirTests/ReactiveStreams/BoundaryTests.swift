// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Where Reactive Streams have demand, Weir has bounds: at the operators that buffer values.
struct BoundaryTests {
  /// An operator that buffers values until it is opened.
  struct Boundary: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes the signal behind the boundary, and a function that opens it, which gets the number of values
    /// sent.
    let make:
      @Sendable (Subject<Int, Oops>, Backlog<Oops>) -> (
        signal: Signal<Int, Oops>, open: @Sendable (Int) -> Void
      )

    static let all = [
      Boundary(testDescription: "observe(on:)") { source, backlog in
        let scheduler = QueuedScheduler()
        return (source.observe(on: scheduler, waiting: backlog), { _ in scheduler.runAll() })
      },
      Boundary(testDescription: "delay") { source, backlog in
        let scheduler = VirtualScheduler()
        return (source.delay(.seconds(1), on: scheduler, waiting: backlog), { _ in scheduler.run() })
      },
      Boundary(testDescription: "collect(within:)") { source, backlog in
        let scheduler = VirtualScheduler()
        let batches = source.collect(within: .seconds(1), on: scheduler, waiting: backlog)
        return (batches.joined(), { _ in scheduler.run() })
      },
      Boundary(testDescription: "zip") { source, backlog in
        let partners = Subject<Int, Oops>()
        let signal = source.zip(with: partners, waiting: backlog).map { $0.0 }
        return (signal, { count in for partner in 0..<count { partners.send(partner) } })
      },
      flattening("flatMap(.concat(waiting:))", running: 1) { .concat(waiting: $0) },
      flattening("flatMap(.merge(limit: 2, waiting:))", running: 2) { .merge(limit: 2, waiting: $0) },
      flattening("flatMap(.ordered(limit: 2, waiting:))", running: 2) { .ordered(limit: 2, waiting: $0) },
    ]

    /// As many signals as may run wait for a gate; the values after them are buffered.
    private static func flattening(
      _ name: String, running: Int, _ strategy: @escaping @Sendable (Backlog<Oops>) -> FlattenStrategy<Oops>
    ) -> Boundary {
      Boundary(testDescription: name) { source, backlog in
        let gate = Subject<Int, Oops>()
        let first = Signal<Int, Oops>([Int](repeating: -1, count: running))
        let signal = source.prepend(first)
          .flatMap(strategy(backlog)) { value in value < 0 ? gate.signal : Signal.just(value) }
        return (signal, { _ in gate.complete() })
      }
    }
  }

  /// Sends `dropped` values more than the bound; as many drops are counted before the boundary is opened.
  private func events(
    of boundary: Boundary, _ overflow: Overflow<Oops>, of bound: Int, dropping dropped: Int
  ) -> [Event<Int, Oops>] {
    let drops = DropCounter()
    let waiting = Backlog.bounded(bound, onOverflow: overflow, countingIn: drops)
    return events(of: boundary, waiting, sending: bound + dropped) { #expect(drops.count == dropped) }
  }

  /// Sends values, none of which may be delivered before the boundary is opened.
  private func events(
    of boundary: Boundary, _ backlog: Backlog<Oops>, sending count: Int, beforeOpening: () -> Void = {}
  ) -> [Event<Int, Oops>] {
    let source = Subject<Int, Oops>()
    let (signal, open) = boundary.make(source, backlog)
    let recorder = Recorder(signal)
    for value in 0..<count { source.send(value) }
    let isHeldBack = recorder.values.isEmpty
    #expect(isHeldBack)
    beforeOpening()
    open(count)
    return recorder.events
  }

  static let bounds = [1, 2, 7, 65]

  @Test(
    "the values that a hop has not delivered when its scheduler is shut down are counted, those of a disposed one not"
  )
  func undelivered() {
    let (scheduler, drops, subject) = (QueuedScheduler(), DropCounter(), Subject<Int, Never>())
    let values = Counter()
    let hop = { () -> Subscription in
      subject.observe(on: scheduler, waiting: .bounded(500, onOverflow: .dropOldest, countingIn: drops))
        .subscribe { _ in values.add() }
    }
    _ = hop()
    let disposed = hop()
    for value in 0..<600 { subject.send(value) }
    #expect(drops.count == 200)
    disposed.dispose()
    #expect(drops.count == 200)
    scheduler.stop()
    #expect(drops.count == 700 && values.value == 0)
  }

  @Test(
    "§1.1 §3.8: no more values than the bound are buffered: the newest or the oldest are dropped, and counted",
    arguments: Boundary.all, bounds)
  func dropping(boundary: Boundary, bound: Int) {
    let newest = events(of: boundary, .dropNewest, of: bound, dropping: 5)
    #expect(newest == (0..<bound).map { .next($0) })
    let oldest = events(of: boundary, .dropOldest, of: bound, dropping: 5)
    #expect(oldest == (5..<bound + 5).map { .next($0) })
  }

  @Test(
    "a backlog that fails on overflow counts no drops; one with a bound of zero drops and counts every value")
  func countingNothingAndEverything() {
    let drops = DropCounter()
    let failing = Backlog.bounded(1, onOverflow: Overflow.fail(Oops()), countingIn: drops)
    let delay = Boundary.all[1]
    #expect(events(of: delay, failing, sending: 3) == [.failed(Oops())])
    #expect(drops.count == 0)
    for overflow in [Overflow<Oops>.dropNewest, .dropOldest] {
      #expect(events(of: delay, .bounded(0, onOverflow: overflow, countingIn: drops), sending: 3).isEmpty)
    }
    #expect(drops.count == 6)
  }

  @Test(
    "§1.1 §3.8: an overflow with .fail fails the signal, and drops the buffered values",
    arguments: Boundary.all, bounds)
  func failing(boundary: Boundary, bound: Int) {
    let overflow = Backlog.bounded(bound, onOverflow: Overflow.fail(Oops(code: 7)))
    #expect(events(of: boundary, overflow, sending: bound) == (0..<bound).map { .next($0) })
    #expect(events(of: boundary, overflow, sending: bound + 1) == [.failed(Oops(code: 7))])
  }

  @Test("§3.17: without a bound every value is buffered", arguments: Boundary.all)
  func unbounded(boundary: Boundary) {
    #expect(events(of: boundary, .unbounded, sending: 200) == (0..<200).map { .next($0) })
  }

  /// Invalid bounds, counts, times and multipliers, by the message that rejects them: what, and why.
  static let senseless: [String: @Sendable () -> Void] = [
    "bounded(-1): the bound must not be negative": {
      _ = Backlog<Oops>.bounded(-1, onOverflow: .dropNewest)
    },
    "observe(on:)": { _ = Recorder(numbers.observe(on: .immediate, waiting: none)) },
    "zip: the bound of the backlog must be positive": {
      _ = Recorder(numbers.zip(with: numbers, waiting: none))
    },
    "merge(limit: 0): at least one signal must be allowed to run": {
      _ = FlattenStrategy<Oops>.merge(limit: 0)
    },
    "ordered(limit: 0): at least one signal must be allowed to run": {
      _ = FlattenStrategy<Oops>.ordered(limit: 0)
    },
    "ReplayCapacity.last(-1): a capacity must not be negative": {
      _ = ReplaySubject<Int, Oops>(capacity: .last(-1))
    },
    "ReplayCapacity.within(0.0 seconds): an age must be positive": { _ = ReplayCapacity.within(.zero) },
    "take(first: -1): the count must not be negative": { _ = numbers.take(first: -1) },
    "take(last: -1): the count must not be negative": { _ = numbers.take(last: -1) },
    "skip(first: -1): the count must not be negative": { _ = numbers.skip(first: -1) },
    "skip(last: -1): the count must not be negative": { _ = numbers.skip(last: -1) },
    "element(at: -1): the position must not be negative": { _ = numbers.element(at: -1) },
    "collect(count: 0): the count must be positive": { _ = numbers.collect(count: 0) },
    "collect(within: 0.0 seconds): the duration must be positive": {
      _ = numbers.collect(within: .zero, on: .pool)
    },
    "collect(count: 0, within: 1.0 seconds): the count and the duration must be positive": {
      _ = numbers.collect(count: 0, within: .seconds(1), on: .pool)
    },
    "collect(count: 1, within: 0.0 seconds): the count and the duration must be positive": {
      _ = numbers.collect(count: 1, within: .zero, on: .pool)
    },
    "window(count: 0, every: 1.0 seconds): the count and the interval must be positive": {
      _ = numbers.window(count: 0, every: .seconds(1), on: .pool)
    },
    "window(count: 1, every: 0.0 seconds): the count and the interval must be positive": {
      _ = numbers.window(count: 1, every: .zero, on: .pool)
    },
    "window(count: 0): the count must be positive": { _ = numbers.window(count: 0) },
    "window(every: 0.0 seconds): the interval must be positive": {
      _ = numbers.window(every: .zero, on: .pool)
    },
    "sample(every: 0.0 seconds): the interval must be positive": {
      _ = numbers.sample(every: .zero, on: .pool)
    },
    "interval(0.0 seconds): the interval must be positive": { _ = Signal.interval(.zero, on: .pool) },
    "ticks(every: 0.0 seconds): the interval must be positive": { _ = Signal.ticks(every: .zero, on: .pool) },
    "schedule(every: 0.0 seconds): the interval must be positive": {
      _ = WorkerPool.shared.schedule(every: .zero) {}
    },
    "repeat(times: -1): the count must not be negative": { _ = numbers.repeat(times: -1) },
    "retry(upTo: -1): the count must not be negative": { _ = numbers.retry(upTo: -1) },
    "backoff(from: -1.0 seconds, multiplier: 2.0, upTo: 1.0 seconds): the first pause must not be negative": {
      _ = RetryPolicy<Oops>.forever.backoff(from: .seconds(-1), upTo: .seconds(1), on: .pool)
    },
    "backoff(from: 1.0 seconds, multiplier: 0.5, upTo: 2.0 seconds): the first pause must not be negative": {
      _ = RetryPolicy<Oops>.forever.backoff(from: .seconds(1), multiplier: 0.5, upTo: .seconds(2), on: .pool)
    },
    "backoff(from: 2.0 seconds, multiplier: 2.0, upTo: 1.0 seconds): the first pause must not be negative": {
      _ = RetryPolicy<Oops>.forever.backoff(from: .seconds(2), upTo: .seconds(1), on: .pool)
    },
    "share(connecting: .atSubscribers(0)): the count must be positive": {
      _ = numbers.share(connecting: .atSubscribers(0))
    },
    "WorkerPool(threads: 0): a pool has from 1 to": { _ = WorkerPool(threads: 0) },
  ]
  private static let numbers = Signal<Int, Oops>([1, 2, 3])
  private static let none = Backlog<Oops>.bounded(0, onOverflow: .dropNewest)

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test(
    "§3.9: an invalid bound, count, duration or multiplier traps with a message that names it",
    arguments: senseless.keys.sorted())
  func senselessDemand(words: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [words] in
      BoundaryTests.senseless[words]?()
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("weir: \(words)"), "it said: \(message)")
  }
  #endif
}
