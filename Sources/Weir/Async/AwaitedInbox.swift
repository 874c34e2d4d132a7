// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Awaited inbox
//
// Guarantees: one task takes the values out of an inbox, and is suspended only while there is none. It is
// resumed exactly once for each suspension: by the producer, by the thread that cancels the task, or by
// itself. The thread that cancels it stops the source, and runs no clean-up: Swift holds locks while it
// cancels, that of the task and that of one that has started it, which a producer needs to resume either of
// them; and the producer may hold a lock that a clean-up takes. (User code runs in `cancel()` only where
// invariant 5 of `DisposalList` says so.)
//
// The task is the consumer in the sense of `DrainRole`: `draining` is a task that runs, `idle` one that is
// suspended, and `scheduled` one that another thread is about to resume, or has resumed.
//
// Invariants:
//  1. The thread that takes the role out of `idle` resumes the task: the producer by `request`, a canceller
//     by `end`, the task itself by `enter`.
//  2. A task that was resumed by another thread becomes the consumer by `begin`, unless it was cancelled. A
//     canceller that finds `scheduled` or `draining` resumes nobody: the task is being resumed by the
//     producer, or runs. Changing the role hands `stopped` over to the task, which continues only when the
//     canceller has returned, and cleans up.
//  3. Everything but `sleeper` belongs to the consumer, and is touched by no thread while the task is
//     suspended.
//
// Orderings: `sleeper` is stored before the role is left, and that releases it to whoever takes the role.
// Otherwise those of `DrainRole`.

/// The values that are buffered for a task.
@usableFromInline
final class AwaitedInbox<Value, Failure: Error, Waiting: Sleeper>: Inbox<Value, Failure>, AwaitedRun,
  @unchecked Sendable
{
  // Unchecked: see the invariants.
  /// Claimed values that the task has not taken yet.
  @exclusivity(unchecked) @usableFromInline var inHand = HandOffRing<Value>.Batch(first: 0, count: 0)
  /// How many values were claimed since the task was suspended.
  @exclusivity(unchecked) @usableFromInline var streak = 0
  @exclusivity(unchecked) @usableFromInline var sleeper: Waiting?
  /// Whether the task was resumed by itself, and so has not ceased to be the consumer.
  @exclusivity(unchecked) @usableFromInline var hasStayed = false
  /// Whether the task has cleaned up.
  @exclusivity(unchecked) @usableFromInline var isOver = false
  @exclusivity(unchecked) @usableFromInline var isAwaited = false
  /// What a canceller has stopped, for the task to dispose.
  @exclusivity(unchecked) @usableFromInline var stopped: UInt64?

  /// The task that makes it is the consumer.
  @inlinable
  init(waiting backlog: Backlog<Failure>) {
    super.init(waiting: StoredBacklog(backlog))
    _ = role.enter()
  }

  @usableFromInline override var name: StaticString { "values()" }

  @inlinable
  override func release() -> UInt64 {
    // After the end, the producer may be here while the task asks what it has in hand. It only reads then:
    // the thread that ended this has been here before.
    if inHand.count > 0 {
      ring.destroy(inHand)
      inHand.count = 0
    }
    let tail = ring.destroyWaiting()
    // A failure is buffered, too. After this mark no other end is written.
    if tail & HandOff.closed != 0 { failure = nil }
    return tail
  }

  /// A clean-up of the source may have cancelled the task, as in ``terminate(_:)``.
  @inlinable
  override func fail(_ error: Failure) {
    if role.isEnded { upstream.report(error) } else { super.fail(error) }
  }
}

extension AwaitedInbox {
  /// Runs `source` and buffers its events.
  @inlinable
  func listen(to source: Signal<Value, Failure>) {
    let feed = Feed(self)
    source.attach(
      Sink(
        next: { if feed.run.append($0) { feed.run.wake() } }, terminate: { feed.terminate($0) },
        subscription: upstream))
  }

  /// A clean-up of the source, or another thread, may have cancelled the task meanwhile: nobody receives a
  /// failure then.
  @inlinable
  func terminate(_ completion: Completion<Failure>) {
    if role.isEnded { return upstream.reportError(of: completion) }
    close(completion)
    wake()
  }

  @inlinable
  func abandon() {
    upstream.endWithOwner()
    // What was cut stays cut, with its own end.
    ring.close()
    wake()
  }

  /// Resumes the task, if it is suspended.
  @inlinable @inline(never)
  func wake() {
    switch role.request() {
    case .nothing: return
    case .schedule: sleeper?.resume()
    case .cleanUp: cleanUp()
    }
  }

  /// For the consumer of an inbox that has ended.
  @inlinable
  func disposeSource() {
    if let work = stopped.take() { upstream.finishDisposal(work) } else { upstream.dispose() }
  }

  /// Ends the inbox, from any thread: the task has been cancelled while it was suspended, or about to
  /// suspend. It cleans up when it continues.
  @inlinable
  func cancel() {
    stopped = upstream.beginDisposal()
    if role.end() == .idle { sleeper?.resume() }
  }
}
