// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Hand-off ring
//
// Guarantees: one thread at a time (the producer) appends values, one at a time (the consumer) takes them out
// in order, and neither waits for the other. At most `bound` values are pending; the producer can also drop
// the oldest of them. Memory grows with the number of values that were really pending, and never shrinks; in
// the steady state nothing is allocated. Appending is one read-modify-write, or a plain store while values
// stream; taking is one read-modify-write for a batch.
//
// State: values are numbered from 0 on. `tail` is the number of the next one, with the highest bit set once
// no value follows; only the producer writes it. Value `n` is in slot `n` modulo the size of a ring, a power
// of two. A ring's `head` is [in use: 32 | claimed: 32]: each value below `claimed` belongs to the thread
// that claimed it, and the last `in use` of those may still be in their slots. When a ring is too small, the
// producer marks it as replaced, moves the pending values into another ring and writes that ring's address
// into `link`, once; the consumer follows the link when it is done with the old ring. `pace` is 0, or
// `streaming`, or `settling`.
//
// Invariants:
//  1. `head` changes by compare-exchange: the consumer claims a batch and records its size as `in use`, which
//     also gives the batch before back; the producer claims one value to drop it, or all to move them. So
//     each value has one owner, which moves it out or destroys it.
//  2. The producer writes slots only within a ring's size of the first value in use. While the consumer
//     handles a batch, the slots of values dropped after it stay in use as well, because slots are given back
//     in order. A ring of the largest size that is full only because of that is replaced by one of the same
//     size. The consumer has no batch in the new ring, so this happens once for each time that it is late.
//  3. All pending values are in the producer's ring. A replaced ring keeps its mark, so no claim succeeds
//     there any more.
//  4. Writing `link` is the producer's last access to a ring. So a consumer that finds the link set is the
//     last to use the ring, and frees it. A consumer that finds the mark without the link has nothing to do:
//     the producer appends after linking, and then checks for a consumer.
//  5. Where the oldest value can be dropped, the consumer claims one value at a time, and gives its slot back
//     before the value is used: claimed values cannot be dropped, so there should be few. Otherwise a batch
//     is at most 256 values, a quarter of the ring and a quarter of the bound (but at least one), and the
//     largest ring has room for the bound and a batch.
//  6. The consumer changes `pace` from 0 to `streaming`, and then to `settling`; the producer changes it back
//     to 0, before it appends with a read-modify-write. The producer appends with a plain store only if it
//     finds `streaming`. So a consumer that has given up its role and then finds 0 sees all that was
//     appended, or will be scheduled again. If it finds anything else it needs a fence, and sets `settling`
//     to make the producer return to read-modify-writes: so a stream costs one or two fences, when it runs
//     dry. (A stale `streaming` does no harm: the word is `settling` by then, and a fence follows. Nor does a
//     late write by a consumer that has left: the next consumer then finds a value other than 0, too.)
//
// Orderings: appending is a sequentially consistent exchange of `tail`, because it is half of store
// buffering: the producer appends, then checks whether there is a consumer; the consumer gives up its role,
// then checks whether `tail` is still what it saw last. While values stream, appending is a plain store, and
// the consumer has the process execute a fence before it loads `tail`: it sees what was stored before the
// fence, and a producer that stores later finds that there is no consumer. `tail` is not part of a ring,
// because by the time of that load another consumer may have freed the ring. `tail` and `link` release the
// values; `head` gives the slots back.

/// A queue between two threads that grows up to a bound.
@frozen @usableFromInline
struct HandOffRing<Value>: @unchecked Sendable {
  // Unchecked: each side accesses its own fields; the rest by the invariants.
  /// The producer's own state. `room` is the first number that it must not append without loading `head`
  /// again.
  @frozen @usableFromInline
  struct Producer {
    @usableFromInline var ring: RingHeader
    @usableFromInline var slots: UnsafeMutablePointer<Value>
    @usableFromInline var mask: UInt64
    @usableFromInline var next: UInt64
    @usableFromInline var room: UInt64
    @inlinable init(_ ring: RingHeader, next: UInt64, room: UInt64) {
      self.ring = ring
      slots = ring.slots()
      mask = ring.capacity &- 1
      self.next = next
      self.room = room
    }
  }

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

  /// Whether the oldest value can be dropped when the bound is reached.
  @frozen @usableFromInline enum Oldest: Sendable { case stays, canBeDropped }

  /// A cache line for each side, and one for `tail` and `pace`.
  @inlinable static var wordCount: Int { 24 }
  @inlinable static var closed: UInt64 { 1 << 63 }
  @inlinable static var streaming: UInt64 { 1 }
  @inlinable static var settling: UInt64 { 2 }
  @inlinable static var smallestRing: UInt64 { 64 }
  @inlinable static var largestBatch: UInt64 { 256 }
  @inlinable static var largestBound: UInt64 { 1 << 30 }

  @usableFromInline let producer: UnsafeMutablePointer<Producer>
  @usableFromInline let consumer: UnsafeMutablePointer<Consumer>
  @usableFromInline let tail: AtomicWord
  @usableFromInline let pace: AtomicWord
  @usableFromInline let bound: UInt64
  @usableFromInline let batch: UInt32
  @usableFromInline let largestRing: UInt64

  /// - Parameters:
  ///   - words: ``wordCount`` zeroed words that start a cache line and outlive the ring.
  ///   - bound: how many values may be pending, at least one; limited to 2³⁰.
  ///   - oldest: whether ``dropOldest()`` will be called.
  @inlinable
  init(words: UnsafeMutablePointer<UInt64>, bound: Int, _ oldest: Oldest) {
    self.bound = min(UInt64(bound), Self.largestBound)
    let slack: UInt64
    switch oldest {
    case .stays:
      slack = max(1, min(Self.largestBatch, self.bound / 4))
      batch = UInt32(slack)
    case .canBeDropped:
      // So replacing a ring moves no more values than were appended since the last replacement.
      slack = self.bound + 1
      batch = 1
    }
    largestRing = min(2 * Self.largestBound, (self.bound + slack).roundedUpToPowerOfTwo)
    // A ring without slots: the first value replaces it.
    let ring = RingHeader(capacity: 0, slots: UnsafeMutablePointer<Value>.allocate(capacity: 0), first: 0)
    producer = UnsafeMutableRawPointer(words).bindMemory(to: Producer.self, capacity: 1)
    producer.initialize(to: Producer(ring, next: 0, room: 0))
    tail = AtomicWord(words + 8)
    pace = AtomicWord(words + 9)
    consumer = UnsafeMutableRawPointer(words + 16).bindMemory(to: Consumer.self, capacity: 1)
    consumer.initialize(to: Consumer(ring, batch: batch))
  }

  /// For the owner's deinit: destroys all values and frees all rings. No other thread may use it any more.
  @inlinable
  func destroy() {
    destroyWaiting()
    consumer.pointee.ring.free(Value.self)
  }
}

// MARK: - Producer

extension HandOffRing {
  /// Whether a value can be appended, as far as is known without loading `head`.
  @inlinable @inline(__always)
  var hasRoom: Bool { producer.pointee.next != producer.pointee.room }

  /// Appends a value; there must be room.
  @inlinable @inline(__always)
  func append(_ value: consuming Value) {
    let number = producer.pointee.next
    (producer.pointee.slots + Int(truncatingIfNeeded: number & producer.pointee.mask)).initialize(to: value)
    producer.pointee.next = number &+ 1
    if pace.loadRelaxed() == Self.streaming { return tail.storeAsymmetric(number &+ 1) }
    endStream()
    _ = tail.exchange(number &+ 1)
  }

  /// Makes the producer append by read-modify-writes from now on.
  @inlinable @inline(__always)
  func endStream() { if pace.loadRelaxed() != 0 { pace.storeRelaxed(0) } }

  /// Closes the queue: no value follows.
  @inlinable
  func close() { _ = tail.exchange(producer.pointee.next | Self.closed) }

  /// The head of the producer's ring, and how many values are pending.
  @inlinable
  func look() -> (head: RingHead, waiting: UInt32) {
    let head = RingHead(producer.pointee.ring.head.loadAcquire())
    return (head, UInt32(truncatingIfNeeded: producer.pointee.next) &- head.claimed)
  }

  /// Finds out how much room there is, and makes some unless `bound` values are pending. False if they are.
  @inlinable
  func makeRoom() -> Bool {
    let (head, waiting) = look()
    let left = UInt64(waiting) < bound ? bound &- UInt64(waiting) : 0
    let free = producer.pointee.ring.capacity &- UInt64(waiting) &- UInt64(head.inUse)
    producer.pointee.room = producer.pointee.next &+ min(left, free)
    if left > 0, free == 0 { replaceRing() }
    return left > 0
  }

  /// Destroys the oldest value if `bound` values are pending. True if it did.
  @inlinable
  func dropOldest() -> Bool {
    let (head, waiting) = look()
    if UInt64(waiting) < bound { return false }
    guard producer.pointee.ring.head.compareExchange(head.bits, head.dropping().bits) else { return false }
    let slot = Int(UInt64(head.claimed) & producer.pointee.mask)
    (producer.pointee.slots + slot).deinitialize(count: 1)
    return true
  }

  /// Moves the pending values into another ring, twice as large up to the largest size. To be followed by an
  /// ``append(_:)``.
  @inlinable @inline(never)
  func replaceRing() {
    let old = producer.pointee
    let capacity = min(largestRing, max(Self.smallestRing, 2 &* old.ring.capacity))
    let slots = UnsafeMutablePointer<Value>.allocate(capacity: Int(capacity))
    var (head, waiting) = look()
    while !old.ring.head.compareExchange(head.bits, RingHead.replaced.bits) { (head, waiting) = look() }
    let first = old.next &- UInt64(waiting)
    for number in first..<old.next {
      (slots + Int(number & (capacity &- 1))).moveInitialize(
        from: old.slots + Int(number & old.mask), count: 1)
    }
    let ring = RingHeader(capacity: capacity, slots: slots, first: UInt32(truncatingIfNeeded: first))
    producer.pointee = Producer(ring, next: old.next, room: first &+ min(bound, capacity))
    _ = old.ring.link.exchange(ring.bits)
  }

  /// Whether no value is pending.
  @inlinable var isEmpty: Bool { look().waiting == 0 }
}

// MARK: - Consumer

extension HandOffRing {
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
    let seen = pace.loadRelaxed()
    if seen != 0 {
      pace.storeRelaxed(Self.settling)
      weir_process_fence()
    }
    return tail.load()
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
  func destroyWaiting() -> UInt64 {
    while true {
      switch claim() {
      case .batch(let batch): destroy(batch)
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
