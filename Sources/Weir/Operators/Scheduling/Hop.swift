// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// One subscription whose values change threads: what waits, and what it is delivered to.
///
/// The upstream owns the drain, which owns this object. The drain is the consumer.
@usableFromInline
final class Hop<Value, Failure: Error>: Inbox<Value, Failure>, DrainedQueue, @unchecked Sendable {
  // Unchecked: the handler and the variables belong to the consumer.
  @usableFromInline let handler: Handler<Value, Failure>
  /// That of the handler, for the producer.
  @usableFromInline let run: Subscription
  @usableFromInline let failures: FailureTiming
  @exclusivity(unchecked) @usableFromInline var hasHandler = true
  /// Whether a failure is to be reported: somebody waited when the subscription was ended, or when values
  /// were dropped for the failure, which may end it as they go. It may still come, if the producer had ended
  /// the upstream by then.
  @exclusivity(unchecked) @usableFromInline var isToReport = false

  @inlinable
  init(to sink: Sink<Value, Failure>, waiting backlog: Backlog<Failure>, failures: FailureTiming) {
    self.failures = failures
    run = sink.subscription
    handler = Handler(at: .allocate(byteCount: 8 * Handler<Value, Failure>.wordCount, alignment: 8))
    handler.initialize(to: sink)
    super.init(waiting: backlog)
    sink.subscription.adopt(upstream)
  }

  /// It was cleaned up, at the latest when the drain went.
  @inlinable
  deinit { handler.place.deallocate() }

  @usableFromInline override var name: StaticString { "observe(on:)" }

  @inlinable
  override func release() -> UInt64 {
    let tail = ring.destroyWaiting()
    if hasHandler {
      hasHandler = false
      handler.any.destroy()
    }
    // Whatever the producer adds later makes somebody call this again: see `cleanUp()`.
    if tail & HandOffRing<Value>.closed != 0 {
      if isToReport, case .failed(let error) = completion { upstream.report(error) }
      // The source may keep this object, and that must not keep the error.
      (isToReport, completion) = (false, .finished)
    }
    return tail
  }

  @usableFromInline
  override func fail(_ error: Failure) {
    if run.isDisposed { upstream.report(error) } else { super.fail(error) }
  }

  /// The producer ends the upstream. False if somebody has, or if the clean-up of that has ended the run:
  /// then its error is reported. (One that waits for the consumer is not: see `endSubscription()`.)
  @inlinable
  func endUpstream(with completion: Completion<Failure>) -> Bool {
    guard upstream.end() else { return false }
    guard run.isDisposed else { return true }
    upstream.reportError(of: completion)
    return false
  }

  /// The producer leaves the end for the consumer.
  @inlinable
  func terminate(_ completion: Completion<Failure>) {
    if case .failed = completion, case .atOnce = failures { cut(completion) } else { close(completion) }
  }
}

// MARK: - Consumer

extension Hop {
  /// Whether nothing may be delivered any more. Two questions, as another thread may be between the two steps
  /// of disposing.
  @inlinable
  var isInterrupted: Bool {
    @inline(__always) get { role.isInterrupted || handler.isDisposed }
  }

  /// Delivers what waits, a part of it if that is much.
  @inlinable
  func deliver() -> DrainPass {
    var count = 0
    while count < Drain.valuesPerDrain {
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
        if count > 64, ring.isTrickling(after: batch.first) { giveWay() }
      case .empty(let tail): return .empty(tail: tail)
      case .closed:
        if !isInterrupted { handler.terminate(completion) }
        return .over
      }
    }
    ring.beginStream()
    return .more
  }

  /// The consumer's courtesy: 0.8 µs where it was measured. It has caught up with a producer that is sending
  /// a stream, and would take the cache lines away for every single value; both get on twice as fast if it
  /// lets some gather.
  @usableFromInline
  func giveWay() {
    for _ in 0..<32 { weir_pause() }
  }

  /// Delivers a value that comes while the caller, who is also the producer, is the consumer: at once, unless
  /// others wait. True if none did: then the caller may leave without a look into the queue, as only a
  /// producer puts anything there.
  @inlinable
  func deliver(_ value: Value) -> Bool {
    // Or the caller would need a fence when it leaves, for each value.
    ring.endStream()
    guard ring.isEmpty else {
      _ = append(value)
      return false
    }
    if !isInterrupted { handler.next(value) }
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
    // Who has left asks for no error.
    if handler.isDisposed { return }
    isToReport = true
    handler.any.dispose()
  }
}
