// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Groups that end when they have had no value for some time.
//
// A value may arrive while another one, or the end of another group, holds the turn of the run. So it counts
// from when it was sent, which its item says, and the timer of a group only asks: its question waits for the
// turn behind the values that came before it, and the group ends if none of those was its own.

/// The clock of a run of groups, and how long they may be idle.
@usableFromInline
final class IdleClock: Sendable {
  @usableFromInline let quiet: Duration
  private let scheduler: any TimedScheduler
  private let other: OtherClock?
  private let start = ContinuousClock.now

  @usableFromInline
  init(_ quiet: Duration, on target: TimerTarget) {
    self.quiet = quiet
    scheduler = target.scheduler
    other = target.other?()
  }

  /// The time since the run has begun.
  @usableFromInline var now: Duration { other?.now() ?? start.duration(to: .now) }

  @usableFromInline
  func enqueue(_ work: any ScheduledWork, at due: Duration) -> any Disposable {
    other?.enqueue(work, due) ?? scheduler.enqueue(work, due, after: start)
  }
}

/// When an open group has had its last value, and its timer.
@usableFromInline
final class IdleGroup: @unchecked Sendable {
  // Unchecked: its variables are accessed in the turn of the run.

  /// When the last value arrived.
  @exclusivity(unchecked) @usableFromInline var last: Duration
  /// When the timer is due that is set.
  @exclusivity(unchecked) @usableFromInline var due = Duration.zero
  @usableFromInline let timer = SerialDisposable()
  /// Ends with the run, and is forgotten by it when the group has ended.
  fileprivate let subscription = Subscription()

  @usableFromInline
  init(since arrival: Duration, in run: DeliveryCore) {
    last = arrival
    subscription.add(timer)
    run.upstreams.adopt(subscription)
  }

  @usableFromInline
  func end() { subscription.dispose() }
}

extension GroupingRun {
  /// Makes the timer of a group ask when the group may have been idle for long enough.
  @inlinable
  func ask(_ group: IdleGroup, of key: Key, by clock: IdleClock) {
    group.due = group.last.adding(clock.quiet)
    let question = ScheduledClosure { [weak core] in
      if let core { Delivery(core).send(.mayBeIdle(group, of: key)) }
    }
    group.timer.swap(clock.enqueue(question, at: group.due))
  }

  /// Ends a group whose timer has asked, unless a value has arrived since that was set. A group has one
  /// question on its way at a time, and nothing else closes it before the end of the run: so it is open.
  @inlinable
  func endIfIdle(_ group: IdleGroup, of key: Key) {
    guard let idle else { return }
    if group.last.adding(idle.quiet) > group.due { ask(group, of: key, by: idle) } else { close(key) }
  }
}
