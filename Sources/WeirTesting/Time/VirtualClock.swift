// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The time of a ``VirtualScheduler``: it stands still until that moves it on.
///
/// Code that takes any `Clock` gets virtual time with it. Tasks that sleep wake up when the scheduler gets to
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
    /// How long after the beginning.
    public var elapsed: Duration
    /// The instant `elapsed` after the beginning.
    public init(_ elapsed: Duration = .zero) { self.elapsed = elapsed }
    /// The instant `duration` later; earlier, if that is negative. One that a `Duration` cannot reach is the
    /// last one, or the first one, that it can: so the longest may stand for what never comes.
    public func advanced(by duration: Duration) -> Instant { Instant(elapsed.adding(duration)) }
    /// The last one.
    static var last: Instant { Instant(Duration(attoseconds: .max)) }
    /// How long after this one `other` is; negative, if it is before.
    public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    /// Whether `left` is before `right`.
    public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private let agenda: Agenda

  init(_ agenda: Agenda) { self.agenda = agenda }

  /// The virtual time.
  public var now: Instant { agenda.now }
  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Returns when the scheduler has got to `deadline`, by one of its steps; at once, if it is there already.
  ///
  /// - Parameters:
  ///   - deadline: the instant to wait for.
  ///   - tolerance: means nothing in virtual time.
  /// - Throws: `CancellationError` when the task is cancelled, and when the scheduler goes and so will never
  ///   get there.
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

  /// How many tasks sleep until an instant of this clock.
  public var sleepers: Int { agenda.sleeperCount }

  /// Returns as soon as `count` tasks, or more, sleep on this clock: then moving it wakes them. A task begins
  /// to sleep whenever the system gets to it; a test waits for that here, and not for a stretch of time that
  /// it hopes is long enough. Returns with fewer when the task that waits is cancelled, or when the scheduler
  /// goes: nobody sleeps on its clock any more then.
  public func waitForSleepers(_ count: Int) async { await agenda.wait(forSleepers: count) }
}
