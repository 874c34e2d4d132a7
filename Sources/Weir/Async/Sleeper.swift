// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A suspended task. A protocol, since tests put something else in its place: the explorer runs no tasks, but
/// threads.
@usableFromInline
protocol Sleeper: Sendable {
  func resume()
}

/// A suspended task of Swift. Resuming it enqueues the task and runs none of its code, so it may be done
/// inside a delivery; but as the last thing, since on a custom executor that runs jobs at once the task
/// continues inside that call. (``SchedulerTaskExecutor`` is not one, whatever the scheduler.)
///
/// It carries no value: a continuation that is resumed before its task has ceased to run hands over memory in
/// a way that ThreadSanitizer does not know. What the task has to know it finds in an atomic word.
@frozen @usableFromInline
struct TaskSleeper: Sleeper {
  @usableFromInline let continuation: UnsafeContinuation<Void, Never>
  @inlinable init(_ continuation: UnsafeContinuation<Void, Never>) { self.continuation = continuation }
  @inlinable func resume() { continuation.resume() }
}
