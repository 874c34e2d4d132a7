// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// One subscription whose values change threads: its queue, and what the values are delivered to.
///
/// The upstream owns the drain, which owns this object. The drain is the consumer. The line of the role is
/// [role: 1 | empty at: 1 | handler: 6]: a value that need not hop finds there what it does not find in the
/// line of the tail. Only the role changes, and ``emptyAt`` when the hop is not needed.
@usableFromInline
final class Hop<Value, Failure: Error>: Inbox<Value, Failure>, DrainedQueue, @unchecked Sendable {
  // Unchecked: the handler and the variables belong to the consumer.
  /// The subscription of the handler, for the producer.
  @usableFromInline let run: Subscription
  @usableFromInline let failures: FailureTiming
  @exclusivity(unchecked) @usableFromInline var hasHandler = true
  /// How many values were delivered since the queue was last empty.
  @exclusivity(unchecked) @usableFromInline var streak = 0
  /// Whether a failure is to be reported: there was still a subscriber when the subscription was ended, or
  /// when values were dropped for the failure: their release may end it. The failure may still come, if the
  /// producer had ended the upstream by then.
  @exclusivity(unchecked) @usableFromInline var isToReport = false
  /// Counts the buffered values that are destroyed because the scheduler was shut down.
  @exclusivity(unchecked) @usableFromInline var undelivered: DropCounter?

  @inlinable
  init(to sink: Sink<Value, Failure>, waiting backlog: StoredBacklog<Failure>, failures: FailureTiming) {
    self.failures = failures
    run = sink.subscription
    super.init(waiting: backlog)
    handler.initialize(to: sink)
    sink.subscription.adopt(upstream)
  }

  /// Cleaned up at the latest when the drain is released.
  @inlinable @inline(__always) final var handler: Handler<Value, Failure> {
    Handler(AnyHandler(at: UnsafeMutableRawPointer(roleWords + 2)))
  }

  /// The tail when a thread that was both the producer and the consumer last saw that no value was pending:
  /// none is as long as the tail is the same. The consumer's.
  @inlinable @inline(__always) final var emptyAt: UInt64 {
    get { roleWords[1] }
    set { roleWords[1] = newValue }
  }

  @usableFromInline override var name: StaticString { "observe(on:)" }

  @inlinable
  override func release() -> UInt64 {
    let tail = ring.destroyWaiting(countingIn: undelivered)
    if hasHandler {
      hasHandler = false
      handler.any.destroy()
    }
    // If the producer adds anything later, this is called again: see `cleanUp()`.
    if tail & HandOff.closed != 0 {
      if isToReport, let failure { report(failure.error) }
      // The source may retain this object, which must not retain the error.
      (isToReport, failure) = (false, nil)
    }
    return tail
  }

  @usableFromInline
  override func fail(_ error: Failure) {
    if run.isDisposed { report(error) } else { super.fail(error) }
  }

  /// Reports an error that nobody receives, in the name of the source, or else of the run behind the hop.
  @usableFromInline
  func report(_ error: Failure) { UnhandledErrors.report(error, in: upstream.name ?? run.name) }

  /// Ends the upstream, for the producer. False if that has ended before, or if its clean-up has ended the
  /// run: then the error is reported. (One that waits for the consumer is not: see `endSubscription()`.)
  @inlinable
  func endUpstream(with completion: Completion<Failure>) -> Bool {
    guard upstream.end() else { return false }
    guard run.isDisposed else { return true }
    if case .failed(let error) = completion { report(error) }
    return false
  }

  /// Leaves the terminal event for the consumer; called by the producer.
  @inlinable
  func terminate(_ completion: Completion<Failure>) {
    if case .failed = completion, case .atOnce = failures { cut(completion) } else { close(completion) }
  }
}

extension Hop {
  /// Whether nothing may be delivered any more. Two checks, as another thread may be between the two steps of
  /// disposing.
  @inlinable
  var isInterrupted: Bool {
    @inline(__always) get { role.isInterrupted || handler.isDisposed }
  }

  /// Delivers the buffered values, or some of them if there are many: about as many as can be buffered at
  /// once, as a source that replaces each value that it finds taken would otherwise keep the thread.
  @inlinable
  func deliver() -> DrainPass {
    let limit = min(ScheduledDrain.valuesPerDrain, Int(ring.bound))
    var count = 0
    var mayGather = true
    while true {
      switch ring.claim() {
      case .batch(var batch):
        count += Int(batch.count)
        while batch.count > 0 {
          if isInterrupted {
            isToReport = !handler.isDisposed
            ring.destroy(batch)
            return .over
          }
          handler.next(ring.take(batch.first))
          batch.first &+= 1
          batch.count &-= 1
        }
        if count >= limit, ring.hasMore(after: batch.first) {
          streak += count
          if streak >= ScheduledDrain.valuesPerDrain { ring.beginStream() }
          return .more
        }
        if mayGather, count > 64, ring.isTrickling(after: batch.first) { mayGather = gather() }
      case .empty(let tail):
        streak = 0
        return .empty(tail: tail)
      case .closed:
        if !isInterrupted { handler.terminate(completion) }
        return .over
      }
    }
  }

  /// Pauses the consumer, for 0.8 µs. It has caught up with a producer that is sending a stream, and would
  /// take the cache lines away for every single value; both are twice as fast if it lets some values gather.
  /// False if none came: then they are sent by the handler itself, or less often.
  @usableFromInline
  func gather() -> Bool {
    let seen = ring.tail.loadRelaxed()
    weir_pause_for(800)
    return ring.tail.loadRelaxed() != seen
  }

  /// Delivers a value for a caller that is both the producer and the consumer: at once, unless others are
  /// buffered. True if none were: then the caller may leave without a look into the queue, as only a producer
  /// puts anything there.
  @inlinable
  func deliver(_ value: Value) -> Bool {
    // Otherwise the caller would need a fence when it leaves, for each value.
    ring.endStream()
    guard isEmpty() else {
      _ = append(value)
      return false
    }
    if !isInterrupted { handler.next(value) }
    return true
  }

  /// Whether no value is pending, for that caller. The ring itself is in memory of its own, which is cold
  /// when a value comes now and then.
  @inlinable @inline(__always)
  func isEmpty() -> Bool {
    let tail = ring.tail.loadRelaxed()
    if tail == emptyAt { return true }
    guard ring.isEmpty else { return false }
    emptyAt = tail
    return true
  }

  @usableFromInline
  func deliverEndAtOnce() {
    isToReport = !handler.isDisposed
    ring.destroyWaiting()
    if handler.isDisposed { return }
    isToReport = false
    handler.terminate(completion)
  }

  @usableFromInline
  func endSubscription() {
    // A subscriber that has left wants no error.
    if handler.isDisposed { return }
    isToReport = true
    undelivered = backlog.drops
    handler.any.dispose()
  }
}
