// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The clock of a ``VirtualScheduler``: it stands still until the scheduler moves it.
///
/// Code that takes any `Clock` runs in virtual time with it. Tasks that sleep wake when the scheduler reaches
/// their instant:
///
/// ```swift
/// let task = Task { try await scheduler.clock.sleep(for: .seconds(60)) }
/// await scheduler.clock.waitForSleepers(1)
/// scheduler.advance(by: .seconds(60))
/// try await task.value
/// ```
///
/// ReactiveObjC has none.
public final class VirtualClock: Clock {
  /// A point in virtual time.
  public struct Instant: InstantProtocol {
    /// The time since the start.
    public var elapsed: Duration
    /// The instant `elapsed` after the start.
    public init(_ elapsed: Duration = .zero) { self.elapsed = elapsed }
    /// The instant `duration` later; earlier if that is negative. An instant that a `Duration` cannot express
    /// becomes the last or the first one that it can: so the longest duration may stand for "never".
    public func advanced(by duration: Duration) -> Instant { Instant(elapsed.adding(duration)) }
    /// The last instant.
    static var last: Instant { Instant(Duration(attoseconds: .max)) }
    /// The time from this instant until `other`; negative if `other` is earlier. If a `Duration` cannot
    /// express it, the longest or the shortest.
    public func duration(to other: Instant) -> Duration {
      let (difference, overflows) = other.elapsed.attoseconds.subtractingReportingOverflow(
        elapsed.attoseconds)
      return Duration(attoseconds: overflows ? (difference < 0 ? .max : .min) : difference)
    }
    /// Whether `left` is before `right`.
    public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private let agenda: Agenda

  init(_ agenda: Agenda) { self.agenda = agenda }

  /// The virtual time.
  public var now: Instant { agenda.now }
  /// The shortest duration between two instants: zero.
  public var minimumResolution: Duration { .zero }

  /// Returns when a step of the scheduler has reached `deadline`; at once if the clock is there already.
  ///
  /// - Parameters:
  ///   - deadline: the instant to wait for.
  ///   - tolerance: has no effect in virtual time.
  /// - Throws: `CancellationError` when the task is cancelled, and when the scheduler is deallocated, as it
  ///   will never reach `deadline` then.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    if deadline <= now { return }
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleeper.sleep($0, until: deadline, of: agenda) }
    } onCancel: {
      sleeper.abandon()
    }
  }

  /// The number of tasks that sleep on this clock.
  public var sleepers: Int { agenda.sleeperCount }

  /// Returns as soon as at least `count` tasks sleep on this clock: then moving it wakes them. When a task
  /// starts to sleep is up to the system; a test waits for that here, and not for a time that it hopes is
  /// long enough. Returns with fewer when the waiting task is cancelled, or when the scheduler is
  /// deallocated: then no task sleeps on its clock any more.
  public func waitForSleepers(_ count: Int) async { await agenda.wait(forSleepers: count) }
}
