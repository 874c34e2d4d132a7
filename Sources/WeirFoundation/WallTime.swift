// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Weir

extension TimedScheduler {
  /// Runs a closure once, when the time of day is `date` or later, even if the wall clock is set meanwhile.
  ///
  /// The other functions of a scheduler wait for a duration on a clock that cannot be set, which is right for
  /// time-outs and intervals, but not for "at midnight". This one checks the wall clock repeatedly: setting
  /// it forward is noticed after `step` at the latest, setting it back delays the action as it should.
  ///
  /// - Parameters:
  ///   - date: the earliest time to run the action. If it is infinitely late, this waits until the action is
  ///     cancelled; if it is infinitely early, it has passed.
  ///   - step: the longest time between two checks of the wall clock. Less than a millisecond counts as one.
  ///   - wallClock: returns the time of day.
  ///   - action: what to do. Released when it has run, was cancelled, or was abandoned.
  /// - Returns: a disposable that cancels the action if it has not started. It counts as disposed once the
  ///   action starts or is abandoned.
  /// - Precondition: `step` is positive, and `date` is a number.
  ///
  /// ReactiveObjC: `-after:schedule:`, which always waits for a time of day.
  @discardableResult
  public func schedule(
    atWallTime date: Date, step: Duration = .seconds(1),
    wallClock: @escaping @Sendable () -> Date = { Date() },
    _ action: @escaping @Sendable () -> Void
  ) -> any Disposable {
    require(step > .zero, "weir: schedule(atWallTime:step: \(step)): the step must be positive")
    require(
      !date.timeIntervalSinceReferenceDate.isNaN,
      "weir: schedule(atWallTime:): the date is not a number (NaN); pass one that can be compared")
    let wait = SerialDisposable()
    // A shorter step might have passed already when it is scheduled: then a scheduler that runs work inside
    // `enqueue` would never return from it.
    waitOn(
      wait, until: date, step: max(step, .milliseconds(1)), wallClock: wallClock,
      // Released by a scheduler that abandons a round.
      endingWith: ScopedDisposable(wait), action)
    return wait
  }

  private func waitOn(
    _ wait: SerialDisposable, until date: Date, step: Duration, wallClock: @escaping @Sendable () -> Date,
    endingWith end: ScopedDisposable, _ action: @escaping @Sendable () -> Void
  ) {
    let seconds = date.timeIntervalSince(wallClock())
    // A duration cannot be infinite. The remaining time may be shorter than a duration can express; some time
    // has to pass all the same.
    let remaining: Duration =
      if seconds <= 0 { .zero } else if seconds < step / .seconds(1) {
        max(.seconds(seconds), .nanoseconds(1))
      } else { step }
    // Stored before it starts: before `schedule` returns, it may be over and the next one stored in its
    // place.
    let round = SerialDisposable()
    wait.swap(round)
    round.swap(
      // The slot retains the timer and the timer the slot, until it has fired or is disposed.
      schedule(after: remaining) {
        if wait.isDisposed { return }
        if wallClock() >= date {
          // Disposing after this swap is too late; disposing before it prevents the action.
          if wait.swap(nil) == nil { return }
          wait.dispose()
          return action()
        }
        self.waitOn(wait, until: date, step: step, wallClock: wallClock, endingWith: end, action)
      })
  }
}
