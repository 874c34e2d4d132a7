// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Work that is due again and again; see ``TimedScheduler/schedule(every:after:tolerance:_:)``.
final class Repetition<Target: TimedScheduler>: RoundWork, Disposable, @unchecked Sendable {
  // Unchecked: `due` belongs to the caller of `arm`. There is one at a time: the round that has just ended.
  private let interval: Duration
  private let tolerance: Duration
  /// Returns the scheduler, which nothing else here retains: so retaining a disposed repetition does not
  /// retain it.
  private let action: ReusableAction<Void, Target>
  private let timer = SerialDisposable()
  private let start: Target.Time.Instant
  /// When the next round is due, counted from `start`: a clock may have a coarse unit, and what an instant
  /// truncates would be lost anew in each round.
  @exclusivity(unchecked) private var due: Duration

  init(
    on scheduler: Target, every interval: Duration, after first: Duration, tolerance: Duration,
    _ action: @escaping @Sendable () -> Void
  ) {
    self.interval = interval
    self.tolerance = tolerance
    self.action = ReusableAction {
      action()
      return scheduler
    }
    start = scheduler.clock.now
    due = first.bounded
  }

  var isDisposed: Bool { action.isEnded }

  func dispose() {
    if action.end() { timer.dispose() }
  }

  func abandon() { dispose() }

  /// Arms the timer of the next round.
  func arm(on scheduler: Target) {
    // In its place before it is armed: the round may be over before `enqueue` returns, and the next one in
    // that place.
    let round = SerialDisposable()
    timer.swap(round)
    round.swap(scheduler.enqueue(self, at: start.advanced(by: due), tolerance: tolerance))
  }

  func run() {
    guard let scheduler = action.call(()), !isDisposed else { return }
    due = due.adding((start.duration(to: scheduler.clock.now) - due).next(every: interval))
    arm(on: scheduler)
  }
}

/// Work that arms its own timer again. Even if it is due already, it goes through the thread of the timers:
/// otherwise, on a scheduler that runs work inside `enqueue`, one round would follow another, and the call
/// that scheduled them, or that thread, would not get away.
protocol RoundWork: ScheduledWork {}

extension InstantProtocol where Duration == Swift.Duration {
  /// The instant `duration` after this one.
  func later(by duration: Duration) -> Self { advanced(by: duration.bounded) }
}

extension Duration {
  /// The smallest positive multiple of `interval` that is longer than this duration.
  @usableFromInline
  func next(every interval: Duration) -> Duration {
    // Exactly: rounding errors of an interval that is no whole number of nanoseconds would add up.
    let interval = interval.bounded
    let passed = max(0, attoseconds)
    return Duration(attoseconds: passed - passed % interval.attoseconds).adding(interval)
  }

  /// The sum, or on overflow the longest or shortest duration: virtual time may get as far as that.
  @inlinable @inline(__always)
  package func adding(_ duration: Duration) -> Duration {
    let (sum, overflows) = attoseconds.addingReportingOverflow(duration.attoseconds)
    return Duration(attoseconds: overflows ? (sum < 0 ? .max : .min) : sum)
  }

  /// The duration, limited to a trillion years ahead or back, which can be added to an instant. So the
  /// longest duration may stand for never.
  @usableFromInline
  var bounded: Duration {
    let trillionYears = Duration(attoseconds: 1 << 125)
    return min(max(self, .zero - trillionYears), trillionYears)
  }
}
