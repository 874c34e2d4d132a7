// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Runs the signal, and waits for its first value.
  ///
  /// The source is stopped when that has come, inside the delivery. It is subscribed where the caller runs;
  /// the caller is suspended, and no thread waits. When the task is cancelled, the subscription is disposed
  /// and the answer is nil, at once; it may be read as that of a signal that has ended. A source that is
  /// released without a terminal event has ended, and so has a run whose scheduler was shut down before it
  /// had delivered everything.
  ///
  /// Dispose actions run inside `cancel()` then, where Swift holds a lock of the task: they must not wait for
  /// anything that needs this task.
  ///
  /// - Returns: nil, if there was no value.
  /// - Throws: what the signal has failed with, before there was a value.
  ///
  /// ReactiveObjC: `-first`, `-firstOrDefault:success:error:`, which block a thread, and
  /// `-asynchronousFirstOrDefault:success:error:`.
  @inlinable
  public nonisolated(nonsending) func firstValue() async throws(Failure) -> Value? {
    try await take(first: 1).lastValue()
  }

  /// Runs the signal to its end, and waits for the last value.
  ///
  /// Keeps one value. When the task is cancelled, the subscription is disposed, and the answer is the last
  /// value until then, at once. The rest is as for ``firstValue()``.
  ///
  /// - Returns: nil, if there was no value.
  /// - Throws: what the signal has failed with; then its values are lost.
  ///
  /// ReactiveObjC has it in its tests only.
  @inlinable
  public nonisolated(nonsending) func lastValue() async throws(Failure) -> Value? {
    try await folded(into: nil) { $0 = $1 }
  }

  /// Runs the signal to its end, and waits for all values.
  ///
  /// Keeps them all, without a bound but that of memory. When the task is cancelled, the subscription is
  /// disposed, and the answer is the values until then, at once. The rest is as for ``firstValue()``.
  ///
  /// - Throws: what the signal has failed with; then its values are lost.
  ///
  /// ReactiveObjC: `-toArray`, which blocks a thread.
  @inlinable
  public nonisolated(nonsending) func allValues() async throws(Failure) -> [Value] {
    try await folded(into: []) { $0.append($1) }
  }
}

extension SignalConvertible {
  /// Runs the signal, and waits for its end.
  ///
  /// When the task is cancelled, the subscription is disposed and this returns, at once. The rest is as for
  /// ``firstValue()``: it returns also when the run has ended without an event. Who has to know whether all
  /// was delivered waits for the completion itself:
  ///
  /// ```swift
  /// if case .completed = await orders.materialize().lastValue() { print("all stored") }
  /// ```
  ///
  /// - Throws: what the signal has failed with.
  ///
  /// ReactiveObjC: `-waitUntilCompleted:`, which blocks a thread, and `-asynchronouslyWaitUntilCompleted:`.
  @inlinable
  public nonisolated(nonsending) func completion() async throws(Failure) {
    try await folded(into: ()) { _, _ in }
  }
}
