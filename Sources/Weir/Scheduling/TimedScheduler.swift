// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A scheduler that can wait for a point in time of its clock.
///
/// The clock of Weir's own schedulers is the `ContinuousClock`: setting the time of day does not move it. A
/// test passes a scheduler with a virtual clock; code that is given its scheduler need not be generic, as
/// operators also take `any TimedScheduler`. (Those that send points in time have to know the clock, as their
/// values are of its type: ``SignalConvertible/interval(_:tolerance:on:)``,
/// ``SignalConvertible/timer(after:tolerance:on:)`` and ``SignalConvertible/timestamp(on:)`` take an
/// existential that names it, such as `any TimedScheduler<ContinuousClock>`, or are called in a function that
/// takes `some TimedScheduler`. Given a plain `any TimedScheduler`, the compiler says that it cannot conform
/// to `TimedScheduler`. ``SignalConvertible/ticks(every:tolerance:on:)`` takes any.) Work is never run early;
/// how late it is run depends on the machine and on what the scheduler is running, and is up to a minute
/// after the machine itself has slept. All operators treat a duration of more than a trillion years as a
/// trillion years: so `Duration(attoseconds: .max)` may stand for never. Operators that wait once treat a
/// negative duration as none; those that divide time into pieces, such as `interval` and `window(every:)`,
/// require a positive one, except `rateLimit(to:)`, which then lets all values pass if it has a leading edge.
///
/// A scheduler whose clock is the `ContinuousClock` need not implement waiting: Weir's timers do it, on one
/// thread for the whole process.
///
/// On a scheduler that runs work inside `enqueue`, as a ``SerialScheduler`` on an ``ImmediateScheduler``
/// does, what is due at once is sent by the thread that sets the timer, after `enqueue`, and not as that
/// scheduler's work.
///
/// ReactiveObjC: `RACScheduler`, whose times are those of the wall clock.
public protocol TimedScheduler<Time>: Scheduler {
  /// The type of the clock.
  associatedtype Time: Clock where Time.Duration == Duration

  /// The clock by which it waits.
  var clock: Time { get }

  /// Runs `work` once, at `instant` or as soon as possible afterwards; work for a point in time that has
  /// passed is run like work without one. Work for the same instant is run in the order in which it was
  /// scheduled, if that was before the instant and with the same tolerance; work that is scheduled at or
  /// after the instant may overtake work that is being handed over then.
  ///
  /// - Parameters:
  ///   - work: what to do.
  ///   - instant: the earliest time to run it.
  ///   - tolerance: how much later it may run, so that several timers can share one wake-up.
  /// - Returns: a disposable that cancels the work if it has not started, and releases it at once, without
  ///   calling ``ScheduledWork/abandon()``. It counts as disposed once the work starts.
  @discardableResult
  func enqueue(
    _ work: any ScheduledWork, at instant: Time.Instant, tolerance: Duration
  ) -> any Disposable
}

extension TimedScheduler {
  /// Runs a closure once, at a point in time or as soon as possible afterwards.
  ///
  /// - Parameters:
  ///   - instant: the earliest time to run it.
  ///   - tolerance: how much later it may run, so that several timers can share one wake-up.
  ///   - action: what to do. Released when it has run, was cancelled, or was abandoned.
  /// - Returns: a disposable that cancels the action if it has not started.
  ///
  /// ReactiveObjC: `-after:schedule:`.
  @inlinable @discardableResult
  public func schedule(
    at instant: Time.Instant, tolerance: Duration = .zero, _ action: @escaping @Sendable () -> Void
  ) -> any Disposable {
    enqueue(ScheduledClosure(action), at: instant, tolerance: tolerance)
  }

  /// Runs a closure once, when `delay` has passed. A `delay` of zero or less has passed already.
  ///
  /// - Parameters:
  ///   - delay: how long to wait, from now on.
  ///   - tolerance: how much later it may run, so that several timers can share one wake-up.
  ///   - action: what to do. Released when it has run, was cancelled, or was abandoned.
  /// - Returns: a disposable that cancels the action if it has not started.
  ///
  /// ReactiveObjC: `-afterDelay:schedule:`.
  @inlinable @discardableResult
  public func schedule(
    after delay: Duration, tolerance: Duration = .zero, _ action: @escaping @Sendable () -> Void
  ) -> any Disposable {
    schedule(at: clock.now.later(by: delay), tolerance: tolerance, action)
  }

  /// Runs a closure again and again: first when `first` has passed, and then at each multiple of `interval`
  /// after that.
  ///
  /// Times are counted from the start, so that delays do not add up. If a round ends only after the next one
  /// was due, it is followed by the first one that is not due yet: missed rounds are not made up for. Rounds
  /// never overlap, even on a scheduler that is not serial. They are run with this scheduler as
  /// ``Schedulers/current``. With Weir's timers, none is run inside this call, even on a scheduler that runs
  /// work inside `enqueue`.
  ///
  /// - Parameters:
  ///   - interval: the time from one round to the next.
  ///   - first: the time until the first round; the interval, unless given. If it is negative, the first
  ///     round runs at once, and the later ones are counted from the instant that has passed.
  ///   - tolerance: how much later a round may run; it does not add up either.
  ///   - action: what to do. Released on disposal, or when the scheduler abandons a round; if a round is
  ///     under way then, when it is over.
  /// - Returns: a disposable that ends the repetition: from then on, no round starts, and this scheduler is
  ///   not retained. If the scheduler abandons a round, that disposes it.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC: `-after:repeatingEvery:withLeeway:schedule:`.
  @discardableResult
  public func schedule(
    every interval: Duration, after first: Duration? = nil, tolerance: Duration = .zero,
    _ action: @escaping @Sendable () -> Void
  ) -> any Disposable {
    require(interval > .zero, "weir: schedule(every: \(interval)): the interval must be positive")
    let repetition = Repetition(
      on: self, every: interval, after: first ?? interval, tolerance: tolerance, action)
    repetition.arm(on: self)
    return repetition
  }
}
