// Part of Weir. SPDX-License-Identifier: Apache-2.0

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
// because by the time of that load another consumer may have freed the ring. `pace` is released when it
// becomes 0, and acquired by a consumer that has left: if that finds 0, what was stored to `tail` without a
// fence comes before. `tail` and `link` release the values; `head` gives the slots back.

/// A queue between two threads that grows up to a bound.
@frozen @usableFromInline
struct HandOffRing<Value>: @unchecked Sendable {
  // Unchecked: each side accesses its own fields; the rest by the invariants.
  /// Whether the oldest value can be dropped when the bound is reached.
  @frozen @usableFromInline enum Oldest: Sendable { case stays, canBeDropped }

  /// A cache line for each side, and one for `tail` and `pace`.
  @inlinable static var wordCount: Int { HandOff.wordCount }
  @inlinable static var closed: UInt64 { HandOff.closed }
  @inlinable static var streaming: UInt64 { 1 }
  @inlinable static var settling: UInt64 { 2 }
  @inlinable static var smallestRing: UInt64 { 64 }
  @inlinable static var largestBatch: UInt64 { 256 }
  @inlinable static var largestBound: UInt64 { 1 << 30 }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let bound: UInt64
  @usableFromInline let batch: UInt32
  @usableFromInline let largestRing: UInt64

  /// - Parameters:
  ///   - words: ``wordCount`` zeroed words that start a cache line and outlive the ring.
  ///   - bound: how many values may be pending, at least one; limited to 2³⁰.
  ///   - oldest: whether ``dropOldest()`` will be called.
  @inlinable
  init(words: UnsafeMutablePointer<UInt64>, bound: Int, _ oldest: Oldest) {
    self.words = words
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
    producer.initialize(to: Producer(ring, next: 0, room: 0))
    consumer.initialize(to: Consumer(ring, batch: batch))
  }

  // Computed: a value that finds everything cold waits for each line of memory that it needs an address from.
  @inlinable @inline(__always) var producer: UnsafeMutablePointer<Producer> {
    UnsafeMutableRawPointer(words).assumingMemoryBound(to: Producer.self)
  }
  @inlinable @inline(__always) var tail: AtomicWord { AtomicWord(words + 8) }
  @inlinable @inline(__always) var pace: AtomicWord { AtomicWord(words + 9) }
  @inlinable @inline(__always) var consumer: UnsafeMutablePointer<Consumer> {
    UnsafeMutableRawPointer(words + 16).assumingMemoryBound(to: Consumer.self)
  }

  /// For the owner's deinit: destroys all values and frees all rings. No other thread may use it any more.
  @inlinable
  func destroy() {
    destroyWaiting()
    consumer.pointee.ring.free(Value.self)
  }
}
