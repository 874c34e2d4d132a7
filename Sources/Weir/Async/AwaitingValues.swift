// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Runs the signal, and waits for its first value.
  ///
  /// The source is stopped when that has come, inside the delivery. It is subscribed where the caller runs;
  /// the caller is suspended, and no thread waits.
  ///
  /// When the task is cancelled, the subscription is disposed and the answer is nil, at once; a failure that
  /// had ended the source before, but not come here yet, goes to ``UnhandledErrors``. It is nil as well where
  /// the run is abandoned: the source is released without a terminal event, or a scheduler is shut down
  /// before it has delivered everything. So nil alone does not say that the signal has completed. Who has to
  /// know waits for that event as a value: `materialize().firstValue()` is `.completed` then, and nil after a
  /// cancellation, which `Task.isCancelled` tells, or an abandoned run.
  ///
  /// Dispose actions run inside `cancel()` then, where Swift holds a lock of the task: they must not wait for
  /// anything that needs this task.
  ///
  /// The task keeps nothing of the signal while it waits, but a caller that has it in a variable, or captured
  /// by a closure, does: then the source is not released.
  ///
  /// - Returns: nil, if there was no value, for whichever reason.
  /// - Throws: what the signal has failed with, before there was a value.
  ///
  /// ReactiveObjC: `-first`, `-firstOrDefault:success:error:`, which block a thread, and
  /// `-asynchronousFirstOrDefault:success:error:`.
  @inlinable
  public consuming nonisolated(nonsending) func firstValue() async throws(Failure) -> Value? {
    try await (consume self).take(first: 1).lastValue()
  }

  /// Runs the signal to its end, and waits for the last value.
  ///
  /// Keeps one value. When the task is cancelled, the subscription is disposed, and the answer is the last
  /// value until then, at once; so it is when the run is abandoned. That the value was the last one of all is
  /// not said; ``allValues()`` has a way to know. The rest is as for ``firstValue()``.
  ///
  /// - Returns: nil, if there was no value.
  /// - Throws: what the signal has failed with; then its values are lost.
  ///
  /// ReactiveObjC has it in its tests only.
  @inlinable
  public consuming nonisolated(nonsending) func lastValue() async throws(Failure) -> Value? {
    try await folded(into: nil) { $0 = $1 }
  }

  /// Runs the signal to its end, and waits for all values.
  ///
  /// Keeps them all, without a bound but that of memory. When the task is cancelled, the subscription is
  /// disposed, and the answer is the values until then, at once; so it is when the run is abandoned. Whether
  /// these are all tells the last one of `materialize().allValues()`, which is `.completed` then. The rest is
  /// as for ``firstValue()``.
  ///
  /// - Throws: what the signal has failed with; then its values are lost.
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
  /// False is for a run that was cut off: the task was cancelled, which disposes the subscription and goes on
  /// at once, or the run was abandoned, as by a scheduler that is shut down before it has delivered
  /// everything. The rest is as for ``firstValue()``.
  ///
  /// - Returns: whether the signal has completed.
  /// - Throws: what the signal has failed with.
  ///
  /// ReactiveObjC: `-waitUntilCompleted:`, which blocks a thread, and `-asynchronouslyWaitUntilCompleted:`.
  @inlinable @discardableResult
  public consuming nonisolated(nonsending) func completion() async throws(Failure) -> Bool {
    let fold = AwaitedFold<Void, Failure>((), interruption: nil)
    await fold.sleep(untilEndOf: (consume self).signal, isolation: #isolation) { _, _ in }
    try fold.outcome(leaving: ())
    return fold.hasCompleted
  }
}
