// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

/// One subscription whose values change threads: what waits, and what it is delivered to.
///
/// The upstream is the producer: it owns the drain, which owns this object. The drain is the consumer. The upstream's subscription is one
/// of its own, so that it ends when the upstream terminates, not when that is delivered.
@usableFromInline
final class Hop<Value, Failure: Error>: DrainedQueue, @unchecked Sendable {
  // Unchecked: the handler belongs to the consumer; `completion` is written by the producer before it is published.
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let ring: HandOffRing<Value>
  @usableFromInline let handler: UnsafeMutablePointer<Handler<Value, Failure>>
  @usableFromInline let overflow: Overflow<Failure>
  @usableFromInline let failures: FailureTiming
  @usableFromInline let upstream = Subscription()
  @exclusivity(unchecked) @usableFromInline var completion = Completion<Failure>.finished
  @exclusivity(unchecked) @usableFromInline var hasHandler = true

  /// The ring's, and a cache line for the role.
  @inlinable static var wordCount: Int { HandOffRing<Value>.wordCount + 8 }

  @inlinable
  init(to sink: Sink<Value, Failure>, waiting backlog: Backlog<Failure>, failures: FailureTiming) {
    precondition(
      backlog.bound > 0, "weir: observe(on:): a value must be allowed to wait for the scheduler")
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    ring = HandOffRing(words: words, bound: backlog.bound, backlog.canDropOldest ? .canBeDropped : .stays)
    overflow = backlog.overflow
    self.failures = failures
    handler = .allocate(capacity: 1)
    handler.initialize(to: Handler(sink))
    sink.subscription.adopt(upstream)
  }

  /// The upstream has let go of it without a terminal event, or it has ended.
  @inlinable
  deinit {
    if hasHandler { endSubscription() }
    _ = release()
    ring.destroy()
    handler.deallocate()
    weir_block_free(words, 8 * Self.wordCount)
  }

  @inlinable var role: DrainRole {
    @inline(__always) get { DrainRole(AtomicWord(words + HandOffRing<Value>.wordCount)) }
  }

  @usableFromInline
  func tailAfterLeaving() -> UInt64 { ring.tailAfterLeaving() }
}

// MARK: - Producer

extension Hop {
  /// Leaves a value for the consumer. True if it has to be asked for.
  @inlinable @inline(__always)
  func append(_ value: Value) -> Bool {
    if !ring.hasRoom, !makeRoom() { return role.isCut }
    ring.append(value)
    return role.isIdle
  }

  /// False if the value is to be dropped.
  @inlinable @inline(never)
  func makeRoom() -> Bool {
    while !ring.makeRoom() {
      switch overflow {
      case .dropOldest: ring.dropOldest()
      case .dropNewest: return false
      case .fail(let error):
        if upstream.end() { cut(.failed(error)) }
        return false
      case .trap: overflow.trap(in: "observe(on:)", bound: Int(ring.bound))
      }
    }
    return true
  }

  /// Leaves the end for the consumer.
  @inlinable
  func terminate(_ completion: Completion<Failure>) {
    if case .failed = completion, case .atOnce = failures { return cut(completion) }
    self.completion = completion
    ring.close()
  }

  @inlinable
  func cut(_ completion: Completion<Failure>) {
    self.completion = completion
    role.setCut()
  }
}

// MARK: - Consumer

extension Hop {
  /// Whether nothing may be delivered any more. Two questions, as another thread may be between the two steps of disposing.
  @inlinable
  var isInterrupted: Bool {
    @inline(__always) get { role.isInterrupted || handler.pointee.subscription.isDisposed }
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
            ring.destroy(batch)
            return .over
          }
          handler.pointee.next(ring.take(batch.first))
          batch.first &+= 1
          batch.count &-= 1
        }
        if count > 64, ring.isTrickling(after: batch.first) { giveWay() }
      case .empty(let tail): return .empty(tail: tail)
      case .closed:
        if !isInterrupted { handler.pointee.terminate(completion) }
        return .over
      }
    }
    ring.beginStream()
    return .more
  }

  /// The consumer's courtesy: 0.8 µs where it was measured. It has caught up with a producer that is sending a stream, and would take the
  /// cache lines away for every single value; both get on twice as fast if it lets some gather.
  @usableFromInline
  func giveWay() {
    for _ in 0..<32 { weir_pause() }
  }

  /// Delivers a value that comes while the caller, who is also the producer, is the consumer: at once, unless others wait.
  @inlinable
  func deliver(_ value: Value) {
    // Or the caller would need a fence when it leaves, for each value.
    ring.endStream()
    if !ring.isEmpty { _ = append(value) } else if !isInterrupted { handler.pointee.next(value) }
  }

  @usableFromInline
  func deliverEndAtOnce() {
    ring.destroyWaiting()
    if !handler.pointee.subscription.isDisposed { handler.pointee.terminate(completion) }
  }

  @usableFromInline
  func endSubscription() { handler.pointee.subscription.dispose() }

  @inlinable
  func release() -> UInt64 {
    let tail = ring.destroyWaiting()
    if hasHandler {
      hasHandler = false
      handler.deinitialize(count: 1)
    }
    return tail
  }
}
