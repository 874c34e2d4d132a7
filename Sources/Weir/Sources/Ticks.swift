// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Of the protocol for the reason that JustEmptyNeverFail.swift names.
extension SignalConvertible {
  /// A signal that sends `()` at each multiple of an interval, counted from the subscription.
  ///
  /// Like ``interval(_:tolerance:on:)``, which has the rules, but without the time, so that the scheduler may
  /// be one whose clock is not known, such as a stored `any TimedScheduler`. It ends when it is disposed, or
  /// without an event if the scheduler is shut down. Ticks are sent on the scheduler; buffers nothing.
  ///
  /// ```swift
  /// Signal.ticks(every: .seconds(30), on: scheduler).subscribe { print("still here") }
  /// ```
  ///
  /// For one tick write `Signal.ticks(every: .seconds(30), on: scheduler).take(first: 1)`, which completes
  /// behind it.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next, and to the first.
  ///   - tolerance: how much later a tick may be; see ``interval(_:tolerance:on:)``.
  ///   - scheduler: where ticks are sent.
  /// - Precondition: `interval` is positive.
  ///
  /// ReactiveObjC has none: its `+interval:onScheduler:` sends the date.
  public static func ticks(
    every interval: Duration, tolerance: Duration = .zero, on scheduler: some TimedScheduler
  ) -> Signal<Void, Never> where Self == Signal<Void, Never> {
    require(interval > .zero, "weir: ticks(every: \(interval)): the interval must be positive")
    return Signal<_, Never>.interval(interval, tolerance: tolerance, on: scheduler).mapReplace(())
  }
}
