// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Weir

/// Runs work on a dispatch queue. It is serial if the queue is; `SerialScheduler` makes any other one serial.
///
/// Each piece of work takes one `async`; operators that hop need one for a burst of values. Timers are
/// Weir's: the queue gets the work when it is due. The queue decides on threads and priorities, and cannot be
/// shut down: work that it never runs, because it stays suspended, is not abandoned.
///
/// ReactiveObjC: `RACTargetQueueScheduler`.
public final class DispatchScheduler: TimedScheduler {
  /// The queue that runs the work.
  public let queue: DispatchQueue

  /// A scheduler that runs work on `queue`.
  public init(_ queue: DispatchQueue) { self.queue = queue }

  /// Runs `work` on the queue, after all that was enqueued there before.
  public func enqueue(_ work: any ScheduledWork) {
    queue.async { self.performAsCurrent { work.run() } }
  }
}
