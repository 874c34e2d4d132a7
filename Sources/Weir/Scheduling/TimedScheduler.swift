// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A scheduler that can wait for a point in time of its clock.
///
/// The clock of those that Weir has is the `ContinuousClock`: setting the time of day does not move it. A
/// test passes a scheduler with a virtual clock; code that takes its scheduler from outside need not be
/// generic, as operators take `any TimedScheduler`, too. (Those that send points in time have to know the
/// clock, as their values are of its type: ``SignalConvertible/interval(_:tolerance:on:)``,
/// ``SignalConvertible/timer(after:on:)`` and ``SignalConvertible/timestamp(on:)`` take
/// `any TimedScheduler<ContinuousClock>`, or are called in a function that takes `some TimedScheduler`. Given
/// any other existential, Swift 6.3 crashes instead of saying so.)
/// Work is never run early; how late depends on the machine and on what the scheduler is running, and is up
/// to a minute after the machine itself has slept. A duration of more than a trillion years counts as so
/// much, with all operators: so `Duration(attoseconds: .max)` may stand for what never comes.
///
/// One whose clock is the `ContinuousClock` need not say how to wait: Weir's timers do it, on one thread for
/// the whole process.
///
/// ReactiveObjC: `RACScheduler`, whose times are those of the wall clock.
public protocol TimedScheduler<Time>: Scheduler {
  /// The kind of clock.
  associatedtype Time: Clock where Time.Duration == Duration

  /// Tells the time.
  var clock: Time { get }

  /// Runs `work` once, at `instant` or as soon as possible afterwards; work for a point in time that has
  /// passed is run like work without one. Work for the same instant is run in the order in which it was
  /// scheduled, if that was before the instant and with the same tolerance; what is scheduled once it has
  /// come may overtake what is being handed over then.
  ///
  /// - Parameters:
  ///   - work: what to do.
  ///   - instant: not before.
  ///   - tolerance: how much later it may be, so that several timers can share one wake-up.
  /// - Returns: what takes the work back if it has not begun, and lets go of it at once, without telling it
  ///   so (``ScheduledWork/abandon()``). It is disposed once the work begins.
  @discardableResult
  func enqueue(
    _ work: any ScheduledWork, at instant: Time.Instant, tolerance: Duration
  ) -> any Disposable
}

extension TimedScheduler {
  /// Runs a closure once, at a point in time or as soon as possible afterwards.
  ///
  /// - Parameters:
  ///   - instant: not before.
  ///   - tolerance: how much later it may be, so that several timers can share one wake-up.
  ///   - action: what to do. Released when it has run, was taken back, or was abandoned.
  /// - Returns: what takes the action back if it has not begun.
  ///
  /// ReactiveObjC: `-after:schedule:`.
  @discardableResult
  public func schedule(
    at instant: Time.Instant, tolerance: Duration = .zero, _ action: @escaping @Sendable () -> Void
  ) -> any Disposable {
    enqueue(ScheduledAction(action), at: instant, tolerance: tolerance)
  }

  /// Runs a closure once, when `delay` has passed. One that is zero or negative has passed already.
  ///
  /// - Parameters:
  ///   - delay: how long to wait, from now on.
  ///   - tolerance: how much later it may be, so that several timers can share one wake-up.
  ///   - action: what to do. Released when it has run, was taken back, or was abandoned.
  /// - Returns: what takes the action back if it has not begun.
  ///
  /// ReactiveObjC: `-afterDelay:schedule:`.
  @discardableResult
  public func schedule(
    after delay: Duration, tolerance: Duration = .zero, _ action: @escaping @Sendable () -> Void
  ) -> any Disposable {
    schedule(at: clock.now.later(by: delay), tolerance: tolerance, action)
  }

  /// Runs a closure again and again: for the first time when `first` has passed, and then at each multiple of
  /// `interval` after that.
  ///
  /// Times are counted from the start, so that delays do not add up. A round that is over only after the next
  /// one was due is followed by the next that is still to come: what was missed is not made up for. Rounds
  /// never overlap, also on a scheduler that is not serial. They are run with this scheduler as
  /// ``Schedulers/current``. With Weir's timers, none is run inside this call, also on a scheduler that runs
  /// work inside `enqueue`.
  ///
  /// - Parameters:
  ///   - interval: the time from one round to the next.
  ///   - first: the time until the first round; the interval, unless given.
  ///   - tolerance: how much later a round may be; it does not add up either.
  ///   - action: what to do. Released on disposal; if a round is under way then, when that is over.
  /// - Returns: what ends it. After that, no round begins, and it does not keep this scheduler.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC: `-after:repeatingEvery:withLeeway:schedule:`.
  @discardableResult
  public func schedule(
    every interval: Duration, after first: Duration? = nil, tolerance: Duration = .zero,
    _ action: @escaping @Sendable () -> Void
  ) -> any Disposable {
    precondition(interval > .zero, "weir: schedule(every: \(interval)): the interval must be positive")
    let repetition = Repetition(
      on: self, every: interval, after: first ?? interval, tolerance: tolerance, action)
    repetition.arm(on: self)
    return repetition
  }
}
