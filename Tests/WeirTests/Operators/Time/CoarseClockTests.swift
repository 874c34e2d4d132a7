// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Timed operators and repeated work on a clock of whole milliseconds, which truncates sums of its instants
/// and durations: a timer that is due between two ticks fires at the first.
struct CoarseClockTests {
  typealias Operation = @Sendable (Subject<Int, Never>, TickingScheduler) -> Signal<Int, Never>

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let make: Operation
    /// The values emitted, and at which ticks, after one value at the start and four steps.
    let values: [Int]
    let ticks: [Int]

    init(_ name: String, _ values: [Int] = [1], at ticks: [Int] = [1], _ make: @escaping Operation) {
      testDescription = name
      (self.values, self.ticks, self.make) = (values, ticks, make)
    }
  }

  static let time = Duration.microseconds(1_500)

  static let cases: [Case] = [
    Case("delay") { $0.delay(Self.time, on: $1) },
    Case("debounce") { $0.debounce(Self.time, on: $1) },
    Case("rateLimit") { $0.rateLimit(to: Self.time, on: $1, edge: .trailing) },
    Case("collect(within:)") { $0.collect(within: Self.time, on: $1).joined() },
    Case("timeout, deadline", [1, -1], at: [0, 1]) {
      $0.timeout(.deadline(Self.time), on: $1, switchingTo: Signal<Int, Never>.just(-1))
    },
    Case("timeout, idle", [1, -1], at: [0, 1]) {
      $0.timeout(.idle(Self.time), on: $1, switchingTo: Signal<Int, Never>.just(-1))
    },
    // At 1.5, 3, 4.5 and 6.
    Case("sample(every:)", [1, 1, 1, 1], at: [1, 3, 4, 6]) { $0.sample(every: Self.time, on: $1) },
    Case("sample(every:), less than a tick", [1, 1, 1, 1], at: [0, 1, 1, 2]) {
      $0.sample(every: Self.time / 3, on: $1)
    },
  ]

  @Test(
    "a timer that fires at the last clock tick before its due time counts as due, and is not set again",
    arguments: cases)
  func due(_ operation: Case) {
    let (scheduler, subject) = (TickingScheduler(), Subject<Int, Never>())
    let ticks = Box<[Int]>([])
    let recorder = Recorder(
      operation.make(subject, scheduler).doNext { _ in ticks.value.append(scheduler.clock.now.ticks) })
    subject.send(1)
    scheduler.step(4)
    #expect(recorder.values == operation.values && ticks.value == operation.ticks)
    recorder.dispose()
  }

  @Test("a window that starts at a boundary truncated by the clock ends at the following boundary")
  func windows() {
    let (scheduler, subject) = (TickingScheduler(), Subject<Int, Never>())
    let ends = Box<[Int]>([])
    let subscription = subject.window(every: Self.time, on: scheduler).subscribe { window in
      window.subscribe(completed: { ends.value.append(scheduler.clock.now.ticks) })
    }
    for value in 0..<3 {
      subject.send(value)
      scheduler.step(1)
    }
    // At 1.5, 3 and 4.5.
    #expect(ends.value == [1, 3, 4])
    subscription.dispose()
  }

  @Test(
    "rateLimit counts its intervals from when its timer was due, not from that time truncated by the clock",
    arguments: [RateLimitEdge.trailing, .both])
  func rate(edge: RateLimitEdge) {
    let (scheduler, subject) = (TickingScheduler(), Subject<Int, Never>())
    let ticks = Box<[Int]>([])
    let subscription = subject.rateLimit(to: Self.time, on: scheduler, edge: edge).subscribe { _ in
      ticks.value.append(scheduler.clock.now.ticks)
    }
    // With a leading edge: sent at once, without a timer.
    if edge == .both { subject.send(0) }
    for value in 1...4 {
      subject.send(value)
      scheduler.step(1)
    }
    // At 1.5, 3, 4.5 and 6.
    let expected = edge == .both ? [0, 1, 3, 4, 6] : [1, 3, 4, 6]
    #expect(ticks.value == expected)
    subscription.dispose()
  }

  /// Intervals in microseconds, one of less than a tick, and the ticks of the first four rounds.
  static let intervals = [(1_500, [1, 3, 4, 6]), (500, [0, 1, 1, 2])]

  @Test(
    "repeated work keeps to the multiples of its interval: truncation by the clock does not accumulate",
    arguments: intervals)
  func repeated(microseconds: Int, expected: [Int]) {
    let (scheduler, ticks) = (TickingScheduler(), Box<[Int]>([]))
    let work = scheduler.schedule(every: .microseconds(microseconds)) {
      ticks.value.append(scheduler.clock.now.ticks)
    }
    scheduler.step(4)
    #expect(ticks.value == expected)
    work.dispose()
  }

  @Test(
    "Signal.interval sends at the multiples of its interval, also those between two ticks of the clock",
    arguments: intervals)
  func interval(microseconds: Int, expected: [Int]) {
    let scheduler = TickingScheduler()
    let recorder = Recorder(Signal.interval(.microseconds(microseconds), on: scheduler).map(\.ticks))
    scheduler.step(4)
    #expect(recorder.values == expected)
    recorder.dispose()
  }
}

/// Virtual time in whole milliseconds.
struct TickingClock: Clock {
  struct Instant: InstantProtocol {
    let ticks: Int
    init(at time: Duration) { ticks = Int(time / Duration.milliseconds(1)) }
    var elapsed: Duration { .milliseconds(ticks) }
    func advanced(by duration: Duration) -> Instant { Instant(at: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (left: Instant, right: Instant) -> Bool { left.ticks < right.ticks }
  }

  let virtual: VirtualClock
  var now: Instant { Instant(at: virtual.now.elapsed) }
  var minimumResolution: Duration { .milliseconds(1) }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await virtual.sleep(until: .init(deadline.elapsed), tolerance: tolerance)
  }
}

/// Runs the work that is due in that time.
final class TickingScheduler: TimedScheduler {
  private let virtual = VirtualScheduler()
  var clock: TickingClock { TickingClock(virtual: virtual.clock) }

  func enqueue(_ work: any ScheduledWork) { virtual.enqueue(work) }
  func enqueue(_ work: any ScheduledWork, at instant: TickingClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    virtual.enqueue(work, at: .init(instant.elapsed), tolerance: tolerance)
  }
  func step(_ count: Int) { virtual.step(count) }
}
