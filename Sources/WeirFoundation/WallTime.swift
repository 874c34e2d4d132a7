// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Weir

extension TimedScheduler {
  /// Runs a closure once, when the time of day is `date` or later, also if the wall clock is set meanwhile.
  ///
  /// The other functions of a scheduler wait for a duration on a clock that nobody sets: for time-outs and
  /// intervals that is right. For "at midnight" it is not. This one looks at the wall clock now and then:
  /// setting it forward is noticed after `step` at the latest, setting it back delays the action as it
  /// should.
  ///
  /// - Parameters:
  ///   - date: not before. One that is infinitely late is waited for until the action is taken back, and one
  ///     that is infinitely early has passed.
  ///   - step: how long it waits at most before it looks at the wall clock again. Less than a millisecond
  ///     counts as one.
  ///   - wallClock: tells the time of day.
  ///   - action: what to do. Released when it has run or was taken back.
  /// - Returns: what takes the action back if it has not begun.
  /// - Precondition: `step` is positive, and `date` is a number.
  ///
  /// ReactiveObjC: `-after:schedule:`, which is always meant so.
  @discardableResult
  public func schedule(
    atWallTime date: Date, step: Duration = .seconds(1),
    wallClock: @escaping @Sendable () -> Date = { Date() },
    _ action: @escaping @Sendable () -> Void
  ) -> any Disposable {
    precondition(step > .zero, "weir: schedule(atWallTime:step: \(step)): the step must be positive")
    precondition(
      !date.timeIntervalSinceReferenceDate.isNaN,
      "weir: schedule(atWallTime:): the date is not a number (NaN); pass one that can be compared")
    let wait = SerialDisposable()
    // Less might have passed already when it is scheduled: then a scheduler that runs work inside `enqueue`
    // would not get out of there.
    waitOn(wait, until: date, step: max(step, .milliseconds(1)), wallClock: wallClock, action)
    return wait
  }

  private func waitOn(
    _ wait: SerialDisposable, until date: Date, step: Duration, wallClock: @escaping @Sendable () -> Date,
    _ action: @escaping @Sendable () -> Void
  ) {
    let seconds = date.timeIntervalSince(wallClock())
    // A duration does not hold the infinite ones.
    // What is left may be less than a duration can hold; time has to pass all the same.
    let remaining: Duration =
      if seconds <= 0 { .zero } else if seconds < step / .seconds(1) {
        max(.seconds(seconds), .nanoseconds(1))
      } else { step }
    // In its place before it begins: it may be over before `schedule` returns, and the next one in that
    // place.
    let round = SerialDisposable()
    wait.swap(round)
    round.swap(
      // The slot keeps the timer and the timer the slot, until it has fired or is disposed.
      schedule(after: remaining) {
        if wait.isDisposed { return }
        if wallClock() >= date {
          // Whoever disposes it after this is too late, and whoever has done it meanwhile was not.
          if wait.swap(nil) != nil { action() }
          return
        }
        self.waitOn(wait, until: date, step: step, wallClock: wallClock, action)
      })
  }
}
