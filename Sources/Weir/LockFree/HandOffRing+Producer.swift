// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The protocol is at the head of HandOffRing.swift.

extension HandOffRing {
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
  func endStream() { if pace.loadRelaxed() != 0 { pace.storeRelease(0) } }

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
