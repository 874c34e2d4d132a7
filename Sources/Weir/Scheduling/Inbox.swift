// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

/// What an upstream leaves for a consumer that runs elsewhere: the buffered values, the terminal event, and
/// the role of the consumer.
///
/// The upstream is the producer. Its subscription is its own, so that it ends when the upstream terminates,
/// not on delivery. A subclass defines the consumer: see ``DrainRole``.
@usableFromInline
class Inbox<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: `failure` is written by the producer before it is published, and belongs to the consumer
  // then; the rest is constant.
  @usableFromInline final let ring: HandOffRing<Value>
  @usableFromInline final let backlog: StoredBacklog<Failure>
  @usableFromInline final let upstream = Subscription()
  /// Nil if the terminal event is a completion.
  @exclusivity(unchecked) @usableFromInline final var failure: StoredFailure<Failure>?

  /// The words of the ring, and a cache line for the role, the rest of which is the consumer's: a word, and
  /// those of a handler.
  @inlinable static var wordCount: Int { HandOff.wordCount + 2 + AnyHandler.wordCount }
  @inlinable final var roleWords: UnsafeMutablePointer<UInt64> {
    @inline(__always) get { ring.words + HandOff.wordCount }
  }

  /// - Parameter backlog: how many values may be buffered; at least one.
  @inlinable
  init(waiting backlog: StoredBacklog<Failure>) {
    let words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    ring = HandOffRing(words: words, bound: backlog.bound, backlog.canDropOldest ? .canBeDropped : .stays)
    self.backlog = backlog
    require(
      backlog.bound > 0,
      "weir: \(name): the bound of the backlog must be positive, as values are consumed elsewhere")
  }

  /// The subclass has already released the receiver.
  @inlinable
  deinit {
    ring.destroy()
    weir_block_free(ring.words, 8 * Self.wordCount)
  }

  /// The terminal event.
  @inlinable final var completion: Completion<Failure> {
    get { failure.map { .failed($0.error) } ?? .completed }
    set { failure = if case .failed(let error) = newValue { StoredFailure(error) } else { nil } }
  }

  /// The name of the operator, for messages.
  @usableFromInline var name: StaticString { "an inbox" }

  /// For the consumer: destroys the buffered values and releases the receiver; returns the tail as it was
  /// then. May be called again.
  @usableFromInline
  func release() -> UInt64 { ring.destroyWaiting() }

  /// For the producer: one value too many has ended the upstream.
  @usableFromInline
  func fail(_ error: Failure) { cut(.failed(error)) }

  @inlinable @inline(__always) final var role: DrainRole {
    DrainRole(AtomicWord(roleWords))
  }

  @usableFromInline
  final func tailAfterLeaving() -> UInt64 { ring.tailAfterLeaving() }

  /// For the consumer of an inbox that has ended: releases everything, and leaves.
  @usableFromInline
  final func cleanUp() {
    repeat {
      let tail = release()
      role.leaveEnded()
      if tailAfterLeaving() == tail { return }
    } while role.enterEnded()
  }
}

extension Inbox {
  /// Leaves a value for the consumer. True if the consumer has to be requested.
  @inlinable @inline(__always)
  final func append(_ value: Value) -> Bool {
    if ring.hasRoom || makeRoom() { ring.append(value) }
    // Even if the value was dropped: that may have cut the queue.
    return role.isIdle
  }

  /// False if the value is to be dropped.
  @inlinable @inline(never)
  final func makeRoom() -> Bool {
    while !ring.makeRoom() {
      let mayWait = backlog.original.makeRoom(
        in: name, of: upstream, actualBound: Int(ring.bound), dropOldest: { ring.dropOldest() },
        fail: { error in if upstream.end() { fail(error) } })
      if !mayWait { return false }
    }
    return true
  }

  /// Leaves the terminal event for the consumer.
  @inlinable
  final func close(_ completion: Completion<Failure>) {
    self.completion = completion
    ring.close()
  }

  /// Has the buffered values dropped, and the terminal event delivered.
  @inlinable
  final func cut(_ completion: Completion<Failure>) {
    self.completion = completion
    role.setCut()
    // A consumer that cleans up meanwhile clears that flag: it finds the end here, or it has left for ever,
    // and the producer finds that there is no consumer.
    ring.close()
  }
}
