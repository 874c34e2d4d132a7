// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

private typealias Numbers = Signal<Int, Never>

/// Durations that stand for "for ever". Each test runs in a process of its own: arithmetic that overflows
/// stops the process.
struct LongDurationTests {
  private static let longest = Duration(attoseconds: .max)
  private static let shortest = Duration(attoseconds: .min)

  private typealias Wait = @Sendable (Numbers, VirtualScheduler, Duration) -> Numbers

  private static let waiting: [(String, Wait)] = [
    ("delay", { $0.delay($2, on: $1) }),
    ("delaySubscription", { $0.delaySubscription($2, on: $1) }),
    ("debounce", { $0.debounce($2, on: $1) }),
    ("rateLimit, leading", { $0.rateLimit(to: $2, on: $1, edge: .leading) }),
    ("rateLimit, trailing", { $0.rateLimit(to: $2, on: $1, edge: .trailing) }),
    ("rateLimit, both", { $0.rateLimit(to: $2, on: $1, edge: .both) }),
    ("take(for:)", { $0.take(for: $2, on: $1) }),
    ("skip(for:)", { $0.skip(for: $2, on: $1) }),
    (
      "timeout, idle",
      { $0.timeout(.idle($2), on: $1, switchingTo: Numbers.just(-1)) }
    ),
    ("timeout, deadline", { $0.timeout(.deadline($2), on: $1, switchingTo: Numbers.just(-1)) }),
    ("timer", { signal, scheduler, time in Signal.timer(after: time, on: scheduler).then { signal } }),
    (
      "retry, delayed",
      { signal, scheduler, time in
        let runs = Counter()
        return Signal<Int, Oops>.deferred {
          runs.add() == 0 ? .fail(Oops()) : signal.setFailureType(to: Oops.self)
        }.retry(.forever.delayed(by: time, on: scheduler)).assertNoFailure()
      }
    ),
    (
      "group(by:lifetime:)",
      { $0.group(by: { $0 }, lifetime: .untilIdle(for: $2, on: $1)).flatMap { $0.signal } }
    ),
    (
      "share",
      { $0.share(disconnecting: .after($2, on: $1)) }
    ),
  ]

  private static let positive: [(String, Wait)] = [
    ("collect(within:)", { $0.collect(within: $2, on: $1).joined() }),
    ("collect(count:within:)", { $0.collect(count: 3, within: $2, on: $1).joined() }),
    ("window(every:)", { $0.window(every: $2, on: $1).flatten() }),
    ("window(count:every:)", { $0.window(count: 3, every: $2, on: $1).flatten() }),
    ("sample(every:)", { $0.sample(every: $2, on: $1) }),
    (
      "interval",
      { signal, scheduler, time in
        Signal.interval(time, on: scheduler).map { _ in 1 }.merge(with: signal)
      }
    ),
    (
      "retry, backoff",
      { signal, scheduler, time in
        let runs = Counter()
        return Signal<Int, Oops>.deferred {
          runs.add() < 9 ? .fail(Oops()) : signal.setFailureType(to: Oops.self)
        }.retry(
          .forever.backoff(
            from: time / 100, multiplier: 1_000, upTo: time, jitter: .share(0.5) { 0.5 }, on: scheduler)
        ).assertNoFailure()
      }
    ),
  ]

  /// What a subscriber receives in three seconds, and one that lives to see the end, in another one.
  private static func run(_ wait: Wait, _ duration: Duration) -> [[Event<Int, Never>]] {
    let (values, scheduler) = (Subject<Int, Never>(), VirtualScheduler())
    scheduler.advance(by: .seconds(1))
    let first = Recorder(wait(values.signal, scheduler, duration))
    for value in 1...3 {
      values.send(value)
      scheduler.advance(by: .seconds(1))
    }
    first.dispose()
    let second = Recorder(wait(values.signal, scheduler, duration))
    values.send(4)
    values.complete()
    scheduler.advance(by: .seconds(1))
    return [first.events, second.events]
  }

  @Test("the longest durations do not overflow: every timed operator does what it does with a year")
  func longest() async {
    await #expect(processExitsWith: .success) {
      for (name, wait) in Self.waiting + Self.positive {
        print(name)
        let expected = Self.run(wait, .seconds(365 * 86_400))
        for duration in [Self.longest, Self.longest - .seconds(1), .seconds(Int64.max)] {
          #expect(Self.run(wait, duration) == expected, "\(name)")
        }
      }
    }
  }

  @Test("a timer for the longest duration fires when the clock reaches it, and is not set again and again")
  func farAhead() async {
    await #expect(processExitsWith: .success) {
      // After two steps.
      let expected: [String: [Int]] = [
        "delay": [1], "debounce": [1], "rateLimit, trailing": [1], "timeout, idle": [1, -1],
        "collect(within:)": [1], "sample(every:)": [1, 1],
      ]
      var tried = 0
      for (name, wait) in Self.waiting + Self.positive {
        guard let values = expected[name] else { continue }
        tried += 1
        let (subject, scheduler) = (Subject<Int, Never>(), VirtualScheduler())
        scheduler.advance(by: .seconds(1))
        let recorder = Recorder(wait(subject.signal, scheduler, Self.longest))
        scheduler.advance(by: .seconds(1))
        subject.send(1)
        scheduler.step(2)
        #expect(recorder.values == values, "\(name)")
        recorder.dispose()
      }
      #expect(tried == expected.count)
    }
  }

  /// Sends, and advances the clock to the end of time, again and again.
  private static func runToTheEnd(_ wait: Wait, _ duration: Duration, from start: Duration) {
    let (values, scheduler) = (Subject<Int, Never>(), VirtualScheduler())
    scheduler.advance(by: start)
    let subscription = wait(values.signal, scheduler, duration).subscribe()
    for _ in 0..<3 {
      values.send(1)
      scheduler.advance(by: longest)
    }
    #expect(scheduler.clock.now.elapsed == longest)
    subscription.dispose()
  }

  @Test("timed operators do not overflow or repeat endlessly when virtual time reaches its maximum")
  func endOfTime() async {
    await #expect(processExitsWith: .success) {
      for (name, wait) in Self.waiting + Self.positive {
        print(name)
        for start in [Duration.zero, .seconds(1), Self.longest] {
          Self.runToTheEnd(wait, Self.longest, from: start)
        }
        Self.runToTheEnd(wait, .seconds(1), from: Self.longest)
      }
      for (name, wait) in Self.waiting {
        print(name)
        Self.runToTheEnd(wait, .seconds(1), from: .zero)
      }
    }
  }

  @Test("the most negative durations do not overflow: operators that accept them do what they do with zero")
  func shortest() async {
    await #expect(processExitsWith: .success) {
      for (name, wait) in Self.waiting {
        print(name)
        let expected = Self.run(wait, .zero)
        for duration in [Self.shortest, Self.shortest + .seconds(1), .seconds(Int64.min)] {
          #expect(Self.run(wait, duration) == expected, "\(name)")
        }
      }
    }
  }

  @Test("the longest and the most negative durations do not overflow on the continuous clock")
  func continuous() async {
    await #expect(processExitsWith: .success) {
      let pool = WorkerPool(threads: 1)
      for duration in [Self.longest, Self.shortest] {
        let values = Subject<Int, Never>()
        for edge in [RateLimitEdge.leading, .trailing, .both] {
          values.rateLimit(to: duration, on: pool, edge: edge).subscribe()
        }
        values.delay(duration, on: pool).subscribe()
        values.debounce(duration, on: pool).subscribe()
        values.timeout(.idle(duration), on: pool, switchingTo: Numbers.never()).subscribe()
        pool.schedule(after: duration) {}.dispose()
        if duration > .zero { pool.schedule(every: duration, tolerance: duration) {}.dispose() }
        values.send(1)
        values.send(2)
        values.complete()
      }
    }
  }
}
