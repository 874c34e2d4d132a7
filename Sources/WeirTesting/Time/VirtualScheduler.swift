// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
public import Weir

/// A serial scheduler in virtual time: runs what was scheduled when the test says so, on the test's thread,
/// and never waits.
///
/// What is due first runs first, and what is due at the same instant in the order in which it was scheduled.
/// What has no date, or one that has passed, is due now. The clock moves to the instant of each piece of work
/// before that is run.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// scheduler.schedule(after: .seconds(3600)) { print("an hour later") }
/// scheduler.advance(by: .seconds(3599))  // nothing yet
/// scheduler.step()                       // an hour later
/// ```
///
/// Any thread may schedule, while one steps; stepping on two threads at once stops the process. Work may step
/// the scheduler that runs it; what is run then is nested, so a subscriber should not. Work that was taken
/// back is let go of at once and takes no step. When the scheduler goes, it runs nothing: what is left is
/// abandoned. What operators of time have waiting keeps the scheduler, though, as it schedules again: a test
/// that looks for leaks disposes its subscriptions, or runs to the end. Adding and taking back cost the
/// logarithm of the number of waiting pieces.
///
/// ReactiveObjC: `RACTestScheduler`, which takes a step for what was disposed, and runs everything that is
/// left when it goes.
public final class VirtualScheduler: TimedScheduler {
  /// The virtual time.
  public let clock: VirtualClock
  private let agenda = Agenda()

  /// A scheduler at the beginning of time.
  public init() { clock = VirtualClock(agenda) }

  deinit { agenda.close() }

  /// How much work waits to be run; tasks that sleep on the clock are counted, what was taken back is not.
  /// At the last instant there may be some that will never be: see ``nextInstant``.
  public var waitingCount: Int { agenda.count }

  /// When the next piece of work is due; nil if none waits, or none that will ever be run.
  public var nextInstant: VirtualClock.Instant? { agenda.next }

  /// Runs `work` behind what is due now, before everything that waits for an instant yet to come.
  public func enqueue(_ work: any ScheduledWork) { agenda.insert(work, at: nil) }

  /// Runs `work` when the clock gets to `instant`.
  ///
  /// - Parameters:
  ///   - work: what to do.
  ///   - instant: when it is due; now, if that has passed. When the clock shows the last instant, that one
  ///     stands for all that would come later, and work for it waits for ever.
  ///   - tolerance: means nothing in virtual time.
  /// - Returns: what takes the work back, and lets go of it at once.
  @discardableResult
  public func enqueue(
    _ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration
  ) -> any Disposable {
    agenda.insert(work, at: instant)
  }

  /// Runs what is due next; moves the clock to it. False if nothing waits.
  ///
  /// ReactiveObjC: `-step`.
  @discardableResult
  public func step() -> Bool { step(until: nil) }

  /// Runs the next `count` pieces of work, or as many as there are.
  ///
  /// - Parameter count: how many.
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-step:`.
  public func step(_ count: Int) {
    precondition(
      count >= 0,
      "weir: VirtualScheduler.step(\(count)): time does not go back; pass how many pieces of work to run")
    for _ in 0..<count where !step() { return }
  }

  /// Runs everything, also what is scheduled meanwhile. Does not return while something goes on scheduling:
  /// with repeated work, use ``advance(to:)``.
  ///
  /// ReactiveObjC: `-stepAll`.
  public func run() { while step() {} }

  /// Runs everything that is due until `instant`, this included, and moves the clock there. An instant that
  /// has passed moves nothing: time does not go back.
  public func advance(to instant: VirtualClock.Instant) {
    while step(until: instant) {}
    agenda.move(to: instant)
  }

  /// Runs everything that is due within `duration`, and moves the clock by that.
  public func advance(by duration: Duration) { advance(to: clock.now.advanced(by: duration)) }

  private func step(until limit: VirtualClock.Instant?) -> Bool {
    guard let (work, outer) = agenda.takeNext(until: limit, for: weir_thread()) else { return false }
    performAsCurrent { work.run() }
    agenda.finishStep(back: outer)
    return true
  }
}
