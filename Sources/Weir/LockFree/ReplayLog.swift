// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Replay log
//
// Guarantees: one thread at a time (the holder of a delivery turn) appends elements and lets the oldest expire, while any
// number of others read what is there, from the oldest on, as slowly as they like. Nobody waits. A reader gets a gapless,
// ordered run of elements. Without readers exactly the elements that have not expired are kept, in one ring, and appending
// allocates nothing; a reader holds back what expires behind its back, and that is destroyed as soon as it is through.
//
// Elements are counted from 0 on. They stand in segments, rings that are linked from the oldest to the newest:
//
//     current ──▶ [ring | base | next]──▶[ring | base | next: 0] ◀── newest
//
// Words: `current` names the segment of the oldest element (a PinnedCell); `first` is the count of expired elements;
// `tail` is the count of all, with its highest bit set once the log is sealed; `low` is the count of destroyed ones. `bits` is
// the newest element, where elements are plain bits that fit into a word: then reading the newest is one load.
// A segment's block keeps the bits of its successor in `link`, and in `sequence` the lowest element that is left in it.
//
// Invariants:
//  1. Slots from `low` up to `tail` are initialised, and constant while they are. One ring holds them all as long as there is
//     room; when there is none, a new ring follows, up to twice as large. A `link` is written once.
//  2. Readers pin the segment that they stand in. A segment also pins its successor, until it is recycled: so a pin keeps all
//     that follows. Nothing is destroyed in a segment with pins.
//  3. An element is published in `tail` before the one that it displaces expires: a reader always finds a full history, or
//     one element more, as if it had come before that event.
//  4. Expiring is: move `first` by a read-modify-write, then look for pins. Reading is: pin, then load `first`. So either the
//     appender sees the pin, or the reader starts beyond what is being destroyed.
//  5. When all of the oldest segment has expired, the next one becomes current and it is retired, pinned or not: new readers
//     never start in it, and the last one to leave recycles it, with its successor if that waits for the same.
//  6. A reader that leaves looks for expired elements that were held back, and if there are some, has the turn's holder
//     expire them: the appender saw its pin, or it sees what the appender left. `isAsked` is claimed by who leaves that word, and
//     given back by the holder before it looks: at most one such word waits.
//
// Orderings: 4 and 6 are store buffering, hence sequentially consistent. `tail` and `link` release the elements before them.

/// One ring of a ``ReplayLog``.
@frozen @usableFromInline
struct ReplaySegment<Element> {
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  /// When each element came, if that matters.
  @usableFromInline let times: UnsafeMutablePointer<Duration>?
  @usableFromInline let size: Int
  /// The number of its first element.
  @usableFromInline let base: UInt64

  @inlinable
  init(size: Int, base: UInt64, isTimed: Bool) {
    slots = Self.allocate(size)
    times = isTimed ? ReplaySegment<Duration>.allocate(size) : nil
    self.size = size
    self.base = base
  }

  @inlinable
  static func allocate(_ size: Int) -> UnsafeMutablePointer<Element> {
    weir_block_allocate(max(1, size * MemoryLayout<Element>.stride)).bindMemory(
      to: Element.self, capacity: size)
  }

  @usableFromInline
  func free() {
    weir_block_free(slots, max(1, size * MemoryLayout<Element>.stride))
    if let times { weir_block_free(times, size * MemoryLayout<Duration>.stride) }
  }

  @inlinable func place(of number: UInt64) -> Int { Int((number &- base) % UInt64(size)) }
}

/// Where the next element goes, and where the lowest stands. For the appender only.
@frozen @usableFromInline
struct ReplayEnds<Element> {
  @usableFromInline var newest: PinnedBlock<ReplaySegment<Element>>
  @usableFromInline var segment: ReplaySegment<Element>
  /// The slot of the next element in `segment`.
  @usableFromInline var next = 0
  /// The slot of the lowest element, in the current segment.
  @usableFromInline var lowest = 0
  /// The count at which there may be no room in `segment`, or no room for ever; there is below it.
  @usableFromInline var full: UInt64

  @inlinable
  init(_ newest: PinnedBlock<ReplaySegment<Element>>, full: UInt64) {
    self.newest = newest
    segment = newest.payload.pointee
    self.full = full
  }
}

/// What has been sent and has not expired.
@frozen @usableFromInline
struct ReplayLog<Element: Sendable>: @unchecked Sendable {  // by the invariants above
  @usableFromInline typealias Block = PinnedBlock<ReplaySegment<Element>>
  @inlinable static var sealed: UInt64 { 1 << 63 }
  /// Rings start with 8 elements and double up to this, or to what the capacity needs.
  @inlinable static var chunk: Int { 1024 }
  @inlinable static var wordCount: Int { 6 + PinnedCell<ReplaySegment<Element>>.wordCount }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let ends: UnsafeMutablePointer<ReplayEnds<Element>>
  @usableFromInline let capacity: UInt64
  /// How long elements are kept, if that is limited. By address, so that copying the log counts no reference.
  @usableFromInline let age: UnsafeMutablePointer<ReplayCapacity.Age>?

  @inlinable
  init(_ capacity: ReplayCapacity) {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    self.capacity = UInt64(capacity.count)
    age = capacity.age.map {
      let age = UnsafeMutablePointer<ReplayCapacity.Age>.allocate(capacity: 1)
      age.initialize(to: $0)
      return age
    }
    ends = .allocate(capacity: 1)
    let size = Self.size(after: 4, capacity: UInt64(capacity.count))
    cell.publishFirst(ReplaySegment(size: size, base: 0, isTimed: age != nil))
    cell.currentBlock().sequence.storeRelaxed(0)
    ends.initialize(to: ReplayEnds(cell.currentBlock(), full: 0))
  }

  @inlinable @inline(__always) var first: AtomicWord { AtomicWord(words) }
  @inlinable @inline(__always) var tail: AtomicWord { AtomicWord(words + 1) }
  @inlinable @inline(__always) var low: AtomicWord { AtomicWord(words + 2) }
  @inlinable @inline(__always) var isAsked: AtomicWord { AtomicWord(words + 4) }
  @inlinable @inline(__always) var bits: AtomicWord { AtomicWord(words + 5) }
  @inlinable @inline(__always) var cell: PinnedCell<ReplaySegment<Element>> {
    PinnedCell(current: words + 3, words: words + 6)
  }

  /// How many elements have been appended.
  @inlinable var count: UInt64 { tail.load() & ~Self.sealed }
  @inlinable var isSealed: Bool { tail.load() & Self.sealed != 0 }
  /// Whether expired elements were held back by a reader.
  @inlinable var isLagging: Bool { low.load() < first.load() }

  @inlinable
  static func size(after size: Int, capacity: UInt64) -> Int {
    // One more than the capacity, by invariant 3.
    let limit = capacity < 1 << 32 ? max(8, Int(capacity) + 1) : chunk
    return min(2 * size, limit)
  }
}

// For the appender.
extension ReplayLog {
  /// Appends an element, and lets the oldest expire. Does nothing once the log is sealed.
  @inlinable @inline(__always)
  func append(_ element: Element) {
    let count = tail.loadRelaxed()
    if count == ends.pointee.full, !makeRoom(count) { return }
    let next = ends.pointee.next
    (ends.pointee.segment.slots + next).initialize(to: element)
    if let age { (ends.pointee.segment.times.unsafelyUnwrapped + next).initialize(to: age.pointee.now()) }
    ends.pointee.next = next + 1 == ends.pointee.segment.size ? 0 : next + 1
    if ValueCell<Element>.isWord { bits.storeRelease(ValueCell.bits(of: element)) }
    tail.storeRelease(count &+ 1)
    let expired = first.loadRelaxed()
    if age != nil || count &+ 1 &- expired > capacity { expire(expired, of: count &+ 1) }
  }

  /// The usual case is that one element expires, and nobody reads.
  @inlinable @inline(__always)
  func expire(_ expired: UInt64, of count: UInt64) {
    if age != nil { return expire() }
    _ = first.exchange(expired &+ 1)
    let newest = ends.pointee.newest
    guard low.loadRelaxed() == expired, cell.current.loadRelaxed() == newest.bits,
      newest.control.load() & PinnedControl.pins == 0
    else { return destroy(upTo: expired &+ 1, of: count) }
    destroyLowest(expired, in: ends.pointee.segment.slots, of: ends.pointee.segment.size)
  }

  /// Finds room for one more, or another ring. False if there is to be none.
  @inlinable @inline(never)
  func makeRoom(_ count: UInt64) -> Bool {
    if count >= Self.sealed || capacity == 0 { return false }
    let segment = ends.pointee.segment
    ends.pointee.full = max(low.loadRelaxed(), segment.base) &+ UInt64(segment.size)
    if ends.pointee.full == count { grow(count) }
    return true
  }

  /// The newest element; there must be one.
  @inlinable var newest: Element {
    let next = ends.pointee.next
    return ends.pointee.segment.slots[next == 0 ? ends.pointee.segment.size - 1 : next - 1]
  }

  /// Nothing is appended from now on.
  @usableFromInline
  func seal() {
    tail.formUnion(Self.sealed)
    ends.pointee.full = tail.loadRelaxed()
  }

  /// Lets expire what is beyond the limits, and destroys what has expired and is not being read.
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
  func destroy(upTo end: UInt64, in segment: ReplaySegment<Element>) {
    while true {
      let number = low.loadRelaxed()
      if number >= end { return }
      destroyLowest(number, in: segment.slots, of: segment.size)
    }
  }

  @inlinable @inline(__always)
  func destroyLowest(_ number: UInt64, in slots: UnsafeMutablePointer<Element>, of size: Int) {
    let lowest = ends.pointee.lowest
    ends.pointee.lowest = lowest + 1 == size ? 0 : lowest + 1
    low.storeRelaxed(number &+ 1)
    // Last, since it may run code of users.
    (slots + lowest).deinitialize(count: 1)
  }

  /// Lets readers begin in the successor from now on.
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
    let block = cell.make(ReplaySegment(size: size, base: count, isTimed: age != nil), sequence: count)
    block.link.storeRelaxed(0)
    block.control.add(PinnedControl.pin)
    ends.pointee.newest.link.storeRelease(block.bits)
    ends.pointee.newest = block
    ends.pointee.segment = block.payload.pointee
    ends.pointee.next = 0
    ends.pointee.full = count &+ UInt64(size)
  }

  @inlinable
  func firstInTime() -> UInt64 {
    let reader = ReplayReader(self)
    defer { reader.leave() }
    return reader.position
  }

  /// For the owner's deinit: destroys all elements. No other thread may use the log any more.
  @inlinable
  func destroy() {
    cell.currentBlock().sequence.storeRelaxed(low.loadRelaxed())
    var block: Block? = cell.currentBlock()
    while let segment = block { block = empty(segment) }
    cell.pool.destroy()
    ends.deallocate()
    age?.deinitialize(count: 1)
    age?.deallocate()
    weir_block_free(words, 8 * Self.wordCount)
  }
}

// For everybody.
extension ReplayLog {
  @inlinable
  func unpin(_ block: Block) { if cell.unpin(block) { recycle(block) } }

  /// Recycles a segment that nobody is in, and its successor if that only waited for it.
  @inlinable
  func recycle(_ block: Block) {
    var block = block
    while let successor = empty(block), cell.unpin(successor) { block = successor }
  }

  /// Destroys what is left in a segment, and answers its successor.
  @inlinable
  func empty(_ block: Block) -> Block? {
    let segment = block.payload.pointee
    let successor = Block(bits: block.link.loadAcquire())
    let end = successor?.payload.pointee.base ?? count
    var number = block.sequence.loadRelaxed()
    while number < end {
      (segment.slots + segment.place(of: number)).deinitialize(count: 1)
      number += 1
    }
    segment.free()
    cell.recycle(block)
    return successor
  }

  /// The newest element, whoever appends meanwhile; there must be one. A reader for one element, if it does not fit into a word.
  @inlinable
  func readNewest() -> Element {
    if ValueCell<Element>.isWord { return ValueCell.value(of: bits.loadAcquire()) }
    let oldest = cell.pin(reclaim: recycle).block
    defer { unpin(oldest) }
    let number = count &- 1
    var block = oldest
    while let successor = Block(bits: block.link.loadAcquire()), number >= successor.payload.pointee.base {
      block = successor
    }
    return block.payload.pointee.slots[block.payload.pointee.place(of: number)]
  }
}
