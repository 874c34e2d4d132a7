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
