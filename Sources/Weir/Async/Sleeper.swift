// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a suspended task is resumed with.
@frozen @usableFromInline
enum Wake: Sendable {
  /// It has not ceased to be the consumer.
  case stayed
  /// The producer has come.
  case called
  /// It was cancelled, and there is nothing left to clean up.
  case ended
}

/// A task that is suspended.
@usableFromInline
protocol Sleeper: Sendable {
  func resume(_ wake: Wake)
}

/// One of Swift's. Resuming it has the task enqueued and runs none of its code, so it may be done inside a delivery.
@frozen @usableFromInline
struct TaskSleeper: Sleeper {
  @usableFromInline let continuation: UnsafeContinuation<Wake, Never>
  @inlinable init(_ continuation: UnsafeContinuation<Wake, Never>) { self.continuation = continuation }
  @inlinable func resume(_ wake: Wake) { continuation.resume(returning: wake) }
}
