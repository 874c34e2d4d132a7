// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Runs the signal, and waits for its first value.
  ///
  /// The source is stopped while that value is being delivered. It is subscribed where the caller runs; the
  /// caller is suspended, and no thread waits.
  ///
  /// In a task that is cancelled already the source is not subscribed. When the task is cancelled, the source
  /// is stopped inside `cancel()`, and nil is returned; a failure that has already ended the source, but has
  /// not arrived yet, goes to ``UnhandledErrors``. Dispose actions run in the task, when it continues; until
  /// then, what only they stop goes on. Nil is also returned if the run is abandoned: the source is released
  /// without a terminal event, or a scheduler is shut down before it has delivered everything. So nil alone
  /// does not mean that the signal has completed. To know that, wait for the event as a value:
  /// `materialize().firstValue()` returns `.completed` then, and nil after a cancellation, for which
  /// `Task.isCancelled` is true, or an abandoned run.
  ///
  /// The task does not retain the signal while it waits, but a caller that has it in a variable, or captured
  /// by a closure, does: then the source is not released.
  ///
  /// - Returns: nil if there was no value, for whatever reason.
  /// - Throws: the error with which the signal has failed before there was a value.
  ///
  /// ReactiveObjC: `-first`, `-firstOrDefault:success:error:`, which block a thread, and
  /// `-asynchronousFirstOrDefault:success:error:`.
  @inlinable
  public consuming nonisolated(nonsending) func firstValue() async throws(Failure) -> Value? {
    try await (consume self).take(first: 1).lastValue()
  }

  /// Runs the signal to its end, and waits for the last value.
  ///
  /// Retains one value. When the task is cancelled, the subscription is disposed and the last value until
  /// then is returned, at once; likewise when the run is abandoned. The result does not tell whether it was
  /// the last value of all; ``allValues()`` describes how to know. The rest is as for ``firstValue()``.
  ///
  /// - Returns: nil if there was no value.
  /// - Throws: the error with which the signal has failed; then its values are lost.
  ///
  /// ReactiveObjC has it in its tests only.
  @inlinable
  public consuming nonisolated(nonsending) func lastValue() async throws(Failure) -> Value? {
    try await folded(into: nil) { $0 = $1 }
  }

  /// Runs the signal to its end, and waits for all values.
  ///
  /// Retains them all, bounded only by memory. When the task is cancelled, the subscription is disposed and
  /// the values until then are returned, at once; likewise when the run is abandoned. To know whether these
  /// are all, use `materialize().allValues()`, whose last element is `.completed` then. The rest is as for
  /// ``firstValue()``.
  ///
  /// - Throws: the error with which the signal has failed; then its values are lost.
  ///
  /// ReactiveObjC: `-toArray`, which blocks a thread.
  @inlinable
  public consuming nonisolated(nonsending) func allValues() async throws(Failure) -> [Value] {
    try await folded(into: []) { $0.append($1) }
  }
}

extension SignalConvertible {
  /// Runs the signal, and waits for its end.
  ///
  /// ```swift
  /// guard try await stored.completion() else { return }
  /// try await commit()
  /// ```
  ///
  /// Returns false if the run was cut off: the task was cancelled, which disposes the subscription and
  /// returns at once, or the run was abandoned, for example by a scheduler that is shut down before it has
  /// delivered everything. The rest is as for ``firstValue()``.
  ///
  /// - Returns: whether the signal has completed.
  /// - Throws: the error with which the signal has failed.
  ///
  /// ReactiveObjC: `-waitUntilCompleted:`, which blocks a thread, and `-asynchronouslyWaitUntilCompleted:`.
  @inlinable @discardableResult
  public consuming nonisolated(nonsending) func completion() async throws(Failure) -> Bool {
    // Not of Void: ThreadSanitizer takes a change of a property without bytes for one of the object's header.
    let fold = AwaitedFold<Bool, Failure>(false, interruption: nil)
    await fold.sleep(untilEndOf: (consume self).signal, isolation: #isolation) { _, _ in }
    _ = try fold.outcome(leaving: false)
    return fold.hasCompleted
  }
}
