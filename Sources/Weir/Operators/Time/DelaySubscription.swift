// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Subscribes to the signal later, on the scheduler, and then forwards its events as they arrive.
  ///
  /// Disposal before that cancels the timer, and the signal is never run. Buffers nothing. ReactiveObjC has
  /// no such operator.
  ///
  /// - Parameters:
  ///   - delay: how much later. If it is zero, the subscription still goes through the scheduler: before
  ///     subscribing has returned, the signal is subscribed only by another thread, or if the scheduler runs
  ///     work inside `enqueue`.
  ///   - scheduler: where the signal is subscribed. If it is shut down before, the run ends without an event.
  @inlinable
  public func delaySubscription(
    _ delay: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> {
    Signal.timer(after: delay, on: scheduler).setFailureType(to: Failure.self).then { [signal] in signal }
  }
}
