// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A run of a signal for which a task waits.
@usableFromInline
protocol AwaitedRun: AnyObject, Sendable {
  associatedtype Failure: Error
  /// Belongs to the run: only the task is downstream of it.
  var upstream: Subscription { get }
  /// Takes the terminal event, after ``upstream`` was ended.
  func terminate(_ completion: Completion<Failure>)
  /// The source has released what it sends to, and sends nothing any more. May be called after the end as
  /// well.
  func abandon()
}

/// What a source retains of such a run. When the last reference is released, nothing more can come, and the
/// task must not wait for it.
@usableFromInline
final class Feed<Run: AwaitedRun>: Sendable {
  @usableFromInline let run: Run

  @inlinable init(_ run: Run) { self.run = run }
  @inlinable deinit { run.abandon() }

  @inlinable
  func terminate(_ completion: Completion<Run.Failure>) {
    if run.upstream.end() { run.terminate(completion) }
  }
}
