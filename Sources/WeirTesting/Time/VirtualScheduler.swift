// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
public import Weir

/// A serial scheduler in virtual time: runs scheduled work when the test says so, on the test's thread, and
/// never waits.
///
/// Work runs in the order of its due instants; work that is due at the same instant, in the order in which it
/// was scheduled. Work without an instant, or with one that has passed, is due now. The clock moves to the
/// instant of each piece of work before that is run.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// scheduler.schedule(after: .seconds(3600)) { print("an hour later") }
/// scheduler.advance(by: .seconds(3599))  // nothing yet
/// scheduler.step()                       // an hour later
/// ```
///
/// Any thread may schedule while one thread steps; stepping on two threads at once stops the process, if
/// the second one finds work. Work may step the scheduler that runs it; what that step runs is nested, so a
/// subscriber should not do it. Cancelled work is released at once. If it has an instant, it takes no step;
/// otherwise its step stays, and runs nothing. When the scheduler is deallocated, it runs nothing:
/// remaining work is abandoned. Pending work that schedules again (timed operators, `interval`, hops,
/// repeated and recursive work, a `SerialScheduler` on top) retains the scheduler: dispose what scheduled
/// it, or run to the end (with a `SerialScheduler` in between only the latter helps). Scheduling and
/// cancelling cost the logarithm of the number of pending pieces of work.
///
/// ReactiveObjC: `RACTestScheduler`, which takes a step for disposed work, and runs all remaining work when
/// it is deallocated.
public final class VirtualScheduler: TimedScheduler {
  /// The virtual time.
  public let clock: VirtualClock
  private let agenda = Agenda()

  /// A scheduler whose clock is at zero.
  public init() { clock = VirtualClock(agenda) }

  deinit { agenda.close() }

  /// The number of pending pieces of work; tasks that sleep on the clock are counted, cancelled work only if
  /// it has no instant.
  /// At the last instant it may include work that will never be run: see ``nextInstant``.
  public var waitingCount: Int { agenda.count }

  /// When the next piece of work is due; nil if none is pending, or none that will ever be run.
  public var nextInstant: VirtualClock.Instant? { agenda.next }

  /// Runs `work` after everything that is due now, and before everything that is due later.
  public func enqueue(_ work: any ScheduledWork) { agenda.insert(work, at: nil) }

  /// Runs `work` when the clock reaches `instant`.
  ///
  /// - Parameters:
  ///   - work: what to do.
  ///   - instant: when it is due; now if that has passed. While the clock shows the last instant, that one
  ///     stands for all that would come later, and work for it is never run.
  ///   - tolerance: has no effect in virtual time.
  /// - Returns: a disposable that cancels the work and releases it at once.
  @discardableResult
  public func enqueue(
    _ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration
  ) -> any Disposable {
    agenda.insert(work, at: instant)
  }

  /// Runs a closure at an instant, before everything else that is due then.
  func schedule(firstAt instant: VirtualClock.Instant, _ action: @escaping @Sendable () -> Void) {
    agenda.insert(FirstWork(action), at: instant, rank: .first)
  }

  /// Moves the clock to the work that is due next, and runs it; returns false if none is pending.
  ///
  /// ReactiveObjC: `-step`.
  @discardableResult
  public func step() -> Bool { step(until: nil) }

  /// Runs the next `count` pieces of work, or as many as there are.
  ///
  /// - Parameter count: how many.
  /// - Returns: how many it ran: fewer than `count` if no more were pending.
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-step:`, which returns nothing.
  @discardableResult
  public func step(_ count: Int) -> Int {
    require(
      count >= 0,
      "weir: VirtualScheduler.step(\(count)): the count must not be negative; pass how many pieces of work to run"
    )
    var done = 0
    while done < count, step() { done += 1 }
    return done
  }

  /// Runs everything, including work that is scheduled meanwhile. Does not return as long as work schedules
  /// more work: with repeated work, use ``advance(to:)``.
  ///
  /// ReactiveObjC: `-stepAll`.
  public func run() { while step() {} }

  /// Runs everything that is due up to and including `instant`, and moves the clock there. An instant that
  /// has passed does not move the clock: time does not go back. Does not return if work without an instant,
  /// such as that of `scheduleRecursive`, always schedules more.
  public func advance(to instant: VirtualClock.Instant) {
    repeat { while step(until: instant) {} } while !agenda.move(to: instant)
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

private final class FirstWork: ScheduledWork {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func run() { action() }
}
