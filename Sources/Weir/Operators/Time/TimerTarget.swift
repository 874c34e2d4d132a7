// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The scheduler of timers without its type. A caller whose scheduler is an `any TimedScheduler` calls the
/// unspecialised code of what is generic over schedulers, at three to nine times the cost for each value. So
/// operators are inlined down to this, and the code that handles values is specialised all the same.
@frozen @usableFromInline
struct TimerTarget: Sendable {
  @usableFromInline let scheduler: any TimedScheduler
  /// Nil if the clock is the `ContinuousClock`, which is read without a look at the scheduler.
  @usableFromInline let other: (@Sendable () -> OtherClock)?

  @inlinable @inline(__always)
  init<Target: TimedScheduler>(_ scheduler: Target) {
    self.scheduler = scheduler
    if Target.Time.self == ContinuousClock.self {
      other = nil
    } else {
      other = { OtherClock(of: scheduler) }
    }
  }
}

extension TimedScheduler {
  /// Runs `work` when a duration has passed since `start`, on a scheduler whose clock is the
  /// `ContinuousClock`: see ``TimerTarget/other``. The duration is bounded already: if the sum were bounded
  /// again, it would be another time than the caller compares with.
  func enqueue(
    _ work: any ScheduledWork, _ due: Duration, after start: ContinuousClock.Instant
  ) -> any Disposable {
    assert(Time.self == ContinuousClock.self)
    // The same type; but a cast takes six hundred instructions.
    let instant = unsafeBitCast(start.advanced(by: due), to: Time.Instant.self)
    return enqueue(work, at: instant, tolerance: .zero)
  }
}

/// A clock other than the `ContinuousClock`, from the start of a run.
@usableFromInline
final class OtherClock: Sendable {
  @usableFromInline let now: @Sendable () -> Duration
  @usableFromInline let enqueue: @Sendable (any ScheduledWork, Duration) -> any Disposable

  @inlinable
  init(of scheduler: some TimedScheduler) {
    let start = scheduler.clock.now
    now = { start.duration(to: scheduler.clock.now) }
    enqueue = { work, due in scheduler.enqueue(work, at: start.advanced(by: due), tolerance: .zero) }
  }
}
