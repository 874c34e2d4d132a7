// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Replay log
//
// Guarantees: one thread at a time (the holder of a delivery turn) appends elements and expires the oldest,
// while any number of others read the elements, from the oldest on, as slowly as they like. Nobody waits. A
// reader gets a gapless, ordered run of elements. Without readers exactly the elements that have not expired
// are kept, in one ring, and appending allocates nothing; a reader holds back elements that expire after it
// has started, and these are destroyed as soon as it is done.
//
// Elements are numbered from 0 on. They are in segments, rings that are linked from the oldest to the newest:
//
//     current ──▶ [ring | base | next]──▶[ring | base | next: 0] ◀── newest
//
// Words: `current` names the segment of the oldest element (a PinnedCell); `first` is the number of expired
// elements, or less (see 4); `tail` is the number of all elements so far, with its highest bit set once the
// log is sealed; `low` is the number of destroyed ones. `bits` is the newest element, where elements are
// trivial and fit into a word: then reading the newest is one load. For others it is the address of that
// element's slot, so that finding it takes no division. A segment's block keeps in `link` the bits of its
// successor, and in `sequence`, once retired, the lowest element left in it.
//
// Invariants:
//  1. The slots of elements `low` up to `tail` are initialised, and constant while they are. One ring holds
//     them all as long as there is room; when there is none, a new ring is linked behind it, up to twice as
//     large. A `link` is written once.
//  2. Readers pin the segment that they are reading. A segment also pins its successor, until it is recycled
//     itself: so a pin keeps all later segments. Nothing is destroyed in a segment with pins.
//  3. An element is published in `bits` and `tail` before the one that it displaces expires: a reader always
//     finds a full history, or one element more, as if it had subscribed before that event.
//  4. Expiring is: advance `first` by a read-modify-write, then check for pins. Reading is: pin, then load
//     `first`; after that `bits`, to read the newest element only. So either the appender sees the pin, or
//     the reader starts beyond the elements that are being destroyed. Trivial elements need not be destroyed:
//     if they have no age limit, `first` is advanced only when the ring is full, before slots are reused, and
//     until then a reader finds out from `tail` how many have expired.
//  5. When all elements of the oldest segment have expired, the next segment becomes current and the oldest
//     is retired, pinned or not: new readers never start in it, and the last one to leave recycles it,
//     together with its successor if that was only waiting for this.
//  6. A reader unpins, then checks for expired elements that were held back, and if there are some, has the
//     turn's holder destroy them: either the appender sees that the pin is gone, or the reader sees what the
//     appender left. The reader sets `isAsked` to post this request, and the holder clears it before it
//     checks: at most one request is pending. (`readNewest()` does not check: it would deliver what others
//     send. What it held back goes with the next append, the next reader, or the end.)
//
// Orderings: 4 and 6 are store buffering, hence sequentially consistent. `bits`, `tail` and `link` release
// the elements before them; `first` releases `bits` and `tail`, so that a reader that starts at an element
// finds it appended.

/// The log of elements that have been sent and have not expired.
@frozen @usableFromInline
struct ReplayLog<Element: Sendable>: @unchecked Sendable {  // by the invariants above
  @usableFromInline typealias Block = PinnedBlock<ReplaySegment>
  @inlinable static var sealed: UInt64 { 1 << 63 }
  /// The largest ring of an unbounded log. Rings start with 8 slots and double up to this, or to what the
  /// capacity needs.
  @inlinable static var chunk: Int { 1024 }
  @inlinable static var endsOffset: Int { 6 + PinnedCell<ReplaySegment>.wordCount }
  @inlinable static var wordCount: Int { endsOffset + MemoryLayout<ReplayEnds<Element>>.size / 8 }
  /// The first blocks are behind the words, from the next cache line on.
  @inlinable static var blocksOffset: Int { (8 * wordCount).alignedUp(to: 64) }
  @inlinable static var size: Int { blocksOffset + NodePool<Void, PinnedStorage<ReplaySegment>>.chunkSize(0) }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let capacity: UInt64
  /// How long elements are kept, if that is limited. By address, so that copying the log touches no reference
  /// count.
  @usableFromInline let age: UnsafeMutablePointer<ReplayCapacity.Age>?

  @inlinable
  init(_ capacity: ReplayCapacity) {
    words = weir_block_allocate(Self.size).assumingMemoryBound(to: UInt64.self)
    self.capacity = UInt64(capacity.count)
    age = capacity.age.map {
      let age = UnsafeMutablePointer<ReplayCapacity.Age>.allocate(capacity: 1)
      age.initialize(to: $0)
      return age
    }
    cell.pool.begin(in: blocks)
    let size = Self.size(after: 4, capacity: UInt64(capacity.count))
    cell.publishFirst(segment(size, base: 0))
    cell.currentBlock().sequence.storeRelaxed(0)
    ends.initialize(to: ReplayEnds(cell.currentBlock()))
  }

  @inlinable @inline(__always) var ends: UnsafeMutablePointer<ReplayEnds<Element>> {
    UnsafeMutableRawPointer(words + Self.endsOffset).assumingMemoryBound(to: ReplayEnds<Element>.self)
  }
  @inlinable var blocks: UnsafeMutableRawPointer { UnsafeMutableRawPointer(words) + Self.blocksOffset }
  @inlinable @inline(__always) var first: AtomicWord { AtomicWord(words) }
  @inlinable @inline(__always) var tail: AtomicWord { AtomicWord(words + 1) }
  @inlinable @inline(__always) var low: AtomicWord { AtomicWord(words + 2) }
  @inlinable @inline(__always) var isAsked: AtomicWord { AtomicWord(words + 4) }
  @inlinable @inline(__always) var bits: AtomicWord { AtomicWord(words + 5) }
  @inlinable @inline(__always) var cell: PinnedCell<ReplaySegment> {
    PinnedCell(current: words + 3, words: words + 6)
  }

  /// How many elements have been appended.
  @inlinable var count: UInt64 { tail.load() & ~Self.sealed }
  @inlinable var isSealed: Bool { tail.load() & Self.sealed != 0 }
  /// The number of the oldest element that has not expired.
  @inlinable var oldest: UInt64 {
    let first = self.first.load()
    if !isLazy { return first }
    let count = self.count
    return count &- first > capacity ? count &- capacity : first
  }
  /// Whether expired elements were held back by a reader.
  @inlinable var isLagging: Bool { !isLazy && low.load() < first.load() }
  /// Whether expired elements stay where they are until their slots are needed.
  @inlinable @inline(__always) var isLazy: Bool { _isPOD(Element.self) && age == nil }

  @inlinable
  static func size(after size: Int, capacity: UInt64) -> Int {
    if capacity >= 1 << 32 { return min(2 * size, chunk) }
    // One more than the capacity, by invariant 3. More where expired elements stay: the more spare slots, the
    // less often expired elements are counted.
    let room = _isPOD(Element.self) ? max(15, 1024 / MemoryLayout<Element>.stride) : 1
    return min(2 * size, max(8, Int(capacity) + room))
  }
}

extension ReplayLog {
  @inlinable
  func segment(_ size: Int, base: UInt64) -> ReplaySegment {
    ReplaySegment(size: size, stride: MemoryLayout<Element>.stride, base: base, age: age)
  }

  @inlinable
  func unpin(_ block: Block) { if cell.unpin(block) { recycle(block) } }

  /// Recycles a segment without readers, and its successor if that was only waiting for this.
  @inlinable
  func recycle(_ block: Block) {
    var block = block
    while let successor = empty(block), cell.unpin(successor) { block = successor }
  }

  /// Destroys the elements left in a segment, and returns its successor.
  ///
  /// - Parameter recycles: whether the block may be used again.
  @inlinable
  func empty(_ block: Block, recycles: Bool = true) -> Block? {
    let segment = block.payload.pointee
    let successor = Block(bits: block.link.loadAcquire())
    let end = successor?.payload.pointee.base ?? count
    var number = _isPOD(Element.self) ? end : block.sequence.loadRelaxed()
    while number < end {
      (segment.slots(of: Element.self) + segment.place(of: number)).deinitialize(count: 1)
      number += 1
    }
    segment.free(stride: MemoryLayout<Element>.stride)
    if recycles { cell.recycle(block) }
    return successor
  }

  /// The newest element, even while another thread appends; there must be one. It works like a reader of one
  /// element, unless elements fit into a word.
  @inlinable
  func readNewest() -> Element {
    if ValueCell<Element>.isWord { return ValueCell.value(of: bits.loadAcquire()) }
    let oldest = cell.pin(reclaim: recycle).block
    defer { unpin(oldest) }
    // By invariant 4; and it acquires the `bits` of an element that has not expired.
    _ = first.load()
    let newest = UnsafeMutablePointer<Element>(bitPattern: UInt(bits.loadAcquire()))
    return newest.unsafelyUnwrapped.pointee
  }

  /// What is in ``bits`` where elements do not fit into a word.
  @inlinable @inline(__always)
  static func bits(of slot: UnsafeMutablePointer<Element>) -> UInt64 { UInt64(UInt(bitPattern: slot)) }

  /// For the owner's deinit: destroys all elements. No other thread may use the log any more.
  @inlinable
  func destroy() {
    cell.currentBlock().sequence.storeRelaxed(low.loadRelaxed())
    var block: Block? = cell.currentBlock()
    while let segment = block { block = empty(segment, recycles: false) }
    cell.pool.destroy(keeping: blocks)
    age?.deinitialize(count: 1)
    age?.deallocate()
    weir_block_free(words, Self.size)
  }
}
