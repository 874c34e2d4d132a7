// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// The protocol is at the head of HandOffRing.swift.

extension HandOffRing {
  /// The consumer's own state.
  @frozen @usableFromInline
  struct Consumer {
    @usableFromInline var ring: RingHeader
    @usableFromInline var slots: UnsafeMutablePointer<Value>
    @usableFromInline var mask: UInt32
    @usableFromInline var batch: UInt32
    /// The value of `tail` at the last claim.
    @usableFromInline var tail: UInt64 = 0
    @inlinable init(_ ring: RingHeader, batch: UInt32) {
      self.ring = ring
      slots = ring.slots()
      mask = UInt32(truncatingIfNeeded: ring.capacity &- 1)
      self.batch = max(1, min(batch, UInt32(ring.capacity / 4)))
    }
  }

  /// The result of trying to claim values.
  @frozen @usableFromInline
  enum Claim {
    /// The next values belong to the caller.
    case batch(Batch)
    /// No value is pending. `tail` was this.
    case empty(tail: UInt64)
    /// No value is pending, and none follows.
    case closed
  }

  /// Values that the consumer has claimed.
  @frozen @usableFromInline
  struct Batch {
    @usableFromInline var first: UInt32
    @usableFromInline var count: UInt32
    @inlinable @inline(__always)
    init(first: UInt32, count: UInt32) {
      self.first = first
      self.count = count
    }
  }

  /// Claims the next batch, and gives back the one before.
  @inlinable
  func claim() -> Claim {
    while true {
      let ring = consumer.pointee.ring
      // The head first: a `tail` that is loaded later is never below it.
      let head = RingHead(ring.head.loadAcquire())
      let tail = self.tail.load()
      if head.isReplaced {
        guard follow(ring) else { return .empty(tail: tail) }
        continue
      }
      let waiting = UInt32(truncatingIfNeeded: tail) &- head.claimed
      if waiting == 0 { return tail & Self.closed != 0 ? .closed : .empty(tail: tail) }
      let count = min(waiting, consumer.pointee.batch)
      consumer.pointee.tail = tail
      if ring.head.compareExchange(head.bits, RingHead(claimed: head.claimed &+ count, inUse: count).bits) {
        return .batch(Batch(first: head.claimed, count: count))
      }
    }
  }

  /// Makes appending cheaper, and leaving cost a fence. For a consumer that will not leave soon.
  @usableFromInline
  func beginStream() {
    if weir_has_process_fence(), pace.loadRelaxed() == 0 { pace.storeRelaxed(Self.streaming) }
  }

  /// For a consumer that has just left: `tail`, with all that was appended without seeing it leave. Inlined,
  /// as its caller is not specialised, and would ask the runtime for this type each time: a tenth of a hop of
  /// one value.
  @usableFromInline @inline(__always)
  func tailAfterLeaving() -> UInt64 {
    let seen = pace.loadAcquire()
    if seen != 0 {
      pace.storeRelaxed(Self.settling)
      weir_process_fence()
    }
    return tail.load()
  }

  /// Whether the producer has appended more than the last claim, which ended before `number`. A hint, hence
  /// unordered: the next claim decides.
  @inlinable
  func hasMore(after number: UInt32) -> Bool {
    UInt32(truncatingIfNeeded: tail.loadRelaxed()) != number
  }

  /// Whether the producer has appended since the last claim, which ended before `number`, and fewer than 64
  /// values are pending.
  @inlinable
  func isTrickling(after number: UInt32) -> Bool {
    let tail = self.tail.load()
    return tail != consumer.pointee.tail && UInt32(truncatingIfNeeded: tail) &- number < 64
  }

  /// How many values, from the first of a batch on, were pending when it was claimed.
  @inlinable
  func waitingAtLastClaim(from batch: Batch) -> Int {
    Int(UInt32(truncatingIfNeeded: consumer.pointee.tail) &- batch.first)
  }

  /// Moves on from a replaced ring to the next one, if that is linked, and frees the old one.
  @inlinable @inline(never)
  func follow(_ old: RingHeader) -> Bool {
    let link = old.link.load()
    guard link != 0 else { return false }
    consumer.pointee = Consumer(RingHeader(bits: link), batch: batch)
    old.free(Value.self)
    return true
  }

  /// Moves a claimed value out of its slot.
  @inlinable @inline(__always)
  func take(_ number: UInt32) -> Value {
    let value = (consumer.pointee.slots + Int(number & consumer.pointee.mask)).move()
    if batch == 1 { giveBack() }
    return value
  }

  /// Gives back the slots of all claimed values.
  @inlinable
  func giveBack() {
    let word = consumer.pointee.ring.head
    while true {
      let head = RingHead(word.loadAcquire())
      if head.isReplaced || word.compareExchange(head.bits, RingHead(claimed: head.claimed, inUse: 0).bits) {
        return
      }
    }
  }

  /// Destroys all pending values, and returns what `tail` was then.
  @inlinable @discardableResult
  func destroyWaiting(countingIn drops: DropCounter? = nil) -> UInt64 {
    while true {
      switch claim() {
      case .batch(let batch):
        drops?.count(Int(batch.count))
        destroy(batch)
      case .empty(let tail): return tail
      case .closed: return tail.load()
      }
    }
  }

  /// Destroys claimed values.
  @inlinable
  func destroy(_ batch: Batch) {
    for distance in 0..<batch.count { _ = take(batch.first &+ distance) }
  }
}
