// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Weir

/// Runs work on a queue of Dispatch. It is serial if the queue is; `SerialScheduler` makes any other one
/// serial.
///
/// Work is handed over with one `async` each; operators that hop do that once for a burst of values. Timers
/// are Weir's: the queue gets the work when it is due. The queue decides about threads and priorities, and
/// cannot be shut down: work that it never runs, because it is suspended for ever, is not abandoned.
///
/// ReactiveObjC: `RACTargetQueueScheduler`.
public final class DispatchScheduler: TimedScheduler {
  /// The kind of clock.
  public typealias Time = ContinuousClock

  /// Where work is run.
  public let queue: DispatchQueue

  /// A scheduler that runs work on `queue`.
  public init(_ queue: DispatchQueue) { self.queue = queue }

  /// Runs `work` on the queue, after all that was put there before.
  public func enqueue(_ work: any ScheduledWork) {
    queue.async { self.performAsCurrent { work.run() } }
  }
}
