// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The writing side of a ReplayLog, whose invariants are at the head of ReplayLog.swift. For one thread at a
// time.

extension ReplayLog {
  /// Appends an element, and expires the oldest. Does nothing once the log is sealed.
  @inlinable @inline(__always)
  func append(_ element: Element) {
    let count = tail.loadRelaxed()
    if count >= ends.pointee.full { return appendWithCare(element, count) }
    put(element, count)
    if !_isPOD(Element.self) { expireOne(of: count &+ 1) }
  }

  /// The same when there may be no room, or elements have an age limit.
  @inlinable @inline(never)
  func appendWithCare(_ element: Element, _ count: UInt64) {
    guard makeRoom(count) else { return }
    if let age, let times = ends.pointee.segment.times {
      let place = ends.pointee.next - ends.pointee.segment.slots(of: Element.self)
      (times + place).initialize(to: age.pointee.now())
    }
    put(element, count)
    if age != nil { expire() } else if !isLazy { expireOne(of: count &+ 1) }
  }

  @inlinable @inline(__always)
  func put(_ element: Element, _ count: UInt64) {
    let slot = ends.pointee.next
    slot.initialize(to: element)
    ends.pointee.next = slot + 1
    bits.storeRelease(ValueCell<Element>.isWord ? ValueCell.bits(of: element) : Self.bits(of: slot))
    tail.storeRelease(count &+ 1)
  }

  /// Whether newer rings than the current one exist.
  @inlinable @inline(__always) var isSplit: Bool { cell.current.loadRelaxed() != ends.pointee.newest.bits }

  /// Expires one element if the log exceeds its capacity. Usually nobody reads.
  @inlinable @inline(__always)
  func expireOne(of count: UInt64) {
    let expired = first.loadRelaxed()
    if count &- expired <= capacity { return }
    _ = first.exchange(expired &+ 1)
    guard low.loadRelaxed() == expired, !isSplit,
      ends.pointee.newest.control.load() & PinnedControl.pins == 0
    else { return destroy(upTo: expired &+ 1, of: count) }
    destroyLowest(expired, in: ends.pointee.segment.slots(of: Element.self), of: ends.pointee.segment.size)
  }

  /// Finds room for one more element, or adds a ring. False if the log takes no more elements.
  @inlinable
  func makeRoom(_ count: UInt64) -> Bool {
    if count >= Self.sealed || capacity == 0 { return false }
    if isLazy, isSplit || room(after: count) == 0 { expire() }
    let segment = ends.pointee.segment
    let isAround = ends.pointee.next == segment.slots(of: Element.self) + segment.size
    let isTooSmall = isLazy && isAround && segment.size < Self.size(after: segment.size, capacity: capacity)
    if isTooSmall || room(after: count) == 0 {
      grow(count)
    } else if isAround {
      ends.pointee.next = segment.slots(of: Element.self)
    }
    if age == nil { ends.pointee.full = nextOccasion(after: count) }
    return true
  }

  /// The count at which there may be no room, the end of the ring is reached, or the current ring has
  /// expired.
  @inlinable
  func nextOccasion(after count: UInt64) -> UInt64 {
    let segment = ends.pointee.segment
    let run = UInt64(segment.slots(of: Element.self) + segment.size - ends.pointee.next)
    let full = count &+ min(run, room(after: count))
    guard isLazy, let successor = Block(bits: cell.currentBlock().link.loadRelaxed()) else { return full }
    return min(full, successor.payload.pointee.base &+ capacity)
  }

  /// How many more elements the newest ring can hold.
  @inlinable
  func room(after count: UInt64) -> UInt64 {
    let segment = ends.pointee.segment
    return max(low.loadRelaxed(), segment.base) &+ UInt64(segment.size) &- count
  }

  /// The newest element; there must be one.
  @inlinable var newest: Element { (ends.pointee.next - 1).pointee }

  /// Seals the log: nothing is appended from now on.
  @usableFromInline
  func seal() { tail.formUnion(Self.sealed) }

  /// Expires the elements beyond the limits, and destroys expired ones that no reader holds back.
  @inlinable @inline(never)
  func expire() {
    let count = tail.loadRelaxed() & ~Self.sealed
    var expired = first.loadRelaxed()
    if count - expired > capacity { expired = count - capacity }
    if age != nil { expired = max(expired, firstInTime()) }
    _ = first.exchange(expired)
    destroy(upTo: expired, of: count)
  }

  @inlinable @inline(never)
  func destroy(upTo expired: UInt64, of count: UInt64) {
    while true {
      let block = cell.currentBlock()
      let successor = Block(bits: block.link.loadRelaxed())
      let end = successor?.payload.pointee.base ?? count
      if block.control.load() & PinnedControl.pins == 0 {
        destroy(upTo: min(expired, end), in: block.payload.pointee)
      }
      guard let successor, expired >= end else { return }
      retire(block, before: successor, at: end)
    }
  }

  @inlinable
  func destroy(upTo end: UInt64, in segment: ReplaySegment) {
    if isLazy { return low.storeRelaxed(max(low.loadRelaxed(), end)) }
    while true {
      let number = low.loadRelaxed()
      if number >= end { return }
      destroyLowest(number, in: segment.slots(of: Element.self), of: segment.size)
    }
  }

  @inlinable @inline(__always)
  func destroyLowest(_ number: UInt64, in slots: UnsafeMutablePointer<Element>, of size: Int) {
    let lowest = ends.pointee.lowest
    ends.pointee.lowest = lowest + 1 == size ? 0 : lowest + 1
    low.storeRelaxed(number &+ 1)
    // Last, since it may run user code.
    (slots + lowest).deinitialize(count: 1)
  }

  /// Makes readers start in the successor from now on.
  @inlinable
  func retire(_ block: Block, before successor: Block, at end: UInt64) {
    block.sequence.storeRelaxed(low.loadRelaxed())
    low.storeRelaxed(end)
    ends.pointee.lowest = 0
    block.control.add(PinnedControl.pin)
    _ = cell.replace(block, by: successor)
    unpin(block)
  }

  /// Links a new ring behind the full one.
  @inlinable
  func grow(_ count: UInt64) {
    let size = Self.size(after: ends.pointee.segment.size, capacity: capacity)
    let block = cell.make(segment(size, base: count), sequence: count)
    block.link.storeRelaxed(0)
    block.control.add(PinnedControl.pin)
    ends.pointee.newest.link.storeRelease(block.bits)
    ends.pointee.newest = block
    ends.pointee.segment = block.payload.pointee
    ends.pointee.next = ends.pointee.segment.slots(of: Element.self)
  }

  @inlinable
  func firstInTime() -> UInt64 {
    let reader = ReplayReader(self)
    defer { reader.leave() }
    return reader.position
  }
}
