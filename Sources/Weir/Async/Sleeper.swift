// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A task that is suspended.
@usableFromInline
protocol Sleeper: Sendable {
  func resume()
}

/// One of Swift's. Resuming it has the task enqueued and runs none of its code, so it may be done inside a
/// delivery; but as the last thing, for on an executor of somebody's own that runs at once the task goes on
/// inside. (``SchedulerTaskExecutor`` is none, whatever the scheduler.)
///
/// It carries no value: a continuation that is resumed before its task has ceased to run hands over memory in
/// a way of which ThreadSanitizer knows nothing. What the task has to know it finds in an atomic word.
@frozen @usableFromInline
struct TaskSleeper: Sleeper {
  @usableFromInline let continuation: UnsafeContinuation<Void, Never>
  @inlinable init(_ continuation: UnsafeContinuation<Void, Never>) { self.continuation = continuation }
  @inlinable func resume() { continuation.resume() }
}
