// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Node pool
//
// Guarantees: any thread takes nodes and gives them back without waiting; memory is reused, so a steady state
// allocates nothing; a node's memory stays readable until the pool is destroyed.
//
// Layout: nodes live in chunks, each with twice as many as the one before, and are named by numbers from 1
// on. The first chunk has two nodes, or one if nodes have fronts: so these are entries, and most lists have
// one. Chunks never move. The first chunk's address is a word of the owner; behind its nodes are the address
// of the second chunk, and that of the table of all others, as many pools never need more than one chunk. A
// node is [Element | next: 32 bits | note: 32 bits]; the note is free for the pool's user. Nodes may have a
// front, for what is read of many of them in a row: a chunk is all its fronts side by side, and then all its
// nodes.
//
// Invariants:
//  1. A node is owned by one thread, or is in the free list, or is in somebody's published chain.
//  2. The word `free` is a TaggedIndex whose tag moves with every pop and push, against ABA: a pop whose head
//     was popped and pushed back meanwhile fails.
//  3. `next` is only accessed atomically: a stalled pop may read it while the node's new owner writes it.
//  4. Nobody takes a node from a closed pool, and it takes nothing back: each node is in the free list when
//     the pool is closed, and counted then, or is refused later.
//
// Orderings: pushing releases the node's memory, popping acquires it; chunk pointers are published by
// compare-exchange.

/// A growing set of reusable nodes, each with room for one element, and for a front, which may be `Void`.
@frozen @usableFromInline
struct NodePool<Front, Element> {
  /// How many words of the owner's block a pool uses: the free list, the count of numbers given out, the
  /// first chunk.
  @inlinable static var wordCount: Int { 3 }
  /// How many nodes the first chunk has.
  @inlinable static var firstCount: Int { frontSize == 0 ? 2 : 1 }
  /// Two less for entries: each is a pin, and there is room for less than 2^30 of these.
  @inlinable static var chunkLimit: Int { frontSize == 0 ? 31 : 29 }
  /// Takes the place of a number in the word `free` when the pool is closed.
  @inlinable static var closed: UInt32 { .max }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>

  @inlinable @inline(__always)
  init(words: UnsafeMutablePointer<UInt64>) { self.words = words }

  @inlinable @inline(__always) var free: AtomicWord { AtomicWord(words) }
  @inlinable @inline(__always) var used: AtomicWord { AtomicWord(words + 1) }
  @inlinable @inline(__always) var first: AtomicWord { AtomicWord(words + 2) }

  /// The offset of `next` and `note` in a node: behind the element, so that elements have the chunk's
  /// alignment.
  @inlinable static var linkOffset: Int { MemoryLayout<Element>.size.alignedUp(to: 8) }
  @inlinable static var stride: Int {
    let alignment = max(8, MemoryLayout<Element>.alignment)
    let size = (linkOffset + 8).alignedUp(to: alignment)
    // Over 64 bytes, a multiple of 32: then the first 32 bytes of an element never straddle two cache lines.
    return size <= 64 ? size : size.alignedUp(to: 32)
  }
  @inlinable @inline(__always)
  static func chunk(of number: UInt32) -> (index: Int, offset: Int) {
    // Without overflow checks: a number has 32 bits.
    let position = Int(number) &+ firstCount &- 1
    let index = (Int.bitWidth &- firstCount) &- position.leadingZeroBitCount
    return (index, position &- (firstCount &<< index))
  }
  @inlinable static var frontSize: Int { MemoryLayout<Front>.size }
  @inlinable static func nodesSize(_ index: Int) -> Int { (firstCount << index) * (frontSize + stride) }
  /// With the two words behind the nodes of the first chunk.
  @inlinable static func chunkSize(_ index: Int) -> Int { nodesSize(index) + (index == 0 ? 16 : 0) }

  /// The word with the address of a chunk. The chunk, or the one or two blocks before it, were made before.
  @inlinable
  func place(ofChunk index: Int) -> AtomicWord {
    if index == 0 { return first }
    if index == 1 { return second }
    return AtomicWord(Self.memory(at: table).assumingMemoryBound(to: UInt64.self) + index)
  }
  @inlinable var second: AtomicWord { AtomicWord(at: Self.memory(at: first) + Self.nodesSize(0)) }
  @inlinable var table: AtomicWord { AtomicWord(at: Self.memory(at: first) + Self.nodesSize(0) + 8) }

  @inlinable @inline(__always)
  static func memory(at place: AtomicWord) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: UInt(place.loadAcquire())).unsafelyUnwrapped
  }

  @inlinable @inline(__always)
  func start(ofChunk index: Int) -> UnsafeMutableRawPointer { Self.memory(at: place(ofChunk: index)) }

  /// The memory of node `number`.
  @inlinable @inline(__always)
  func node(_ number: UInt32) -> UnsafeMutableRawPointer {
    let (index, offset) = Self.chunk(of: number)
    return start(ofChunk: index) + (Self.firstCount &<< index) &* Self.frontSize + offset &* Self.stride
  }
  /// The front of node `number`, in memory as aligned as a front's size, if that is a power of two up to 64.
  @inlinable @inline(__always)
  func front(of number: UInt32) -> UnsafeMutableRawPointer {
    let (index, offset) = Self.chunk(of: number)
    return start(ofChunk: index) + offset &* Self.frontSize
  }
  @inlinable
  func next(of number: UInt32) -> UInt32 {
    weir_load_relaxed_u32((node(number) + Self.linkOffset).assumingMemoryBound(to: UInt32.self))
  }
  @inlinable
  func setNext(of number: UInt32, to next: UInt32) { Self.setNext(at: node(number), to: next) }
  /// The same, for a caller that knows the node's address.
  @inlinable
  static func setNext(at node: UnsafeMutableRawPointer, to next: UInt32) {
    weir_store_relaxed_u32((node + linkOffset).assumingMemoryBound(to: UInt32.self), next)
  }
  /// The note of the pool's user for a node. It may be read while it changes.
  @inlinable
  func note(of number: UInt32) -> UInt32 { Self.note(at: node(number)) }
  @inlinable
  func setNote(of number: UInt32, to note: UInt32) { Self.setNote(at: node(number), to: note) }
  @inlinable
  static func note(at node: UnsafeMutableRawPointer) -> UInt32 {
    weir_load_relaxed_u32((node + linkOffset + 4).assumingMemoryBound(to: UInt32.self))
  }
  @inlinable
  static func setNote(at node: UnsafeMutableRawPointer, to note: UInt32) {
    weir_store_relaxed_u32((node + linkOffset + 4).assumingMemoryBound(to: UInt32.self), note)
  }
  @inlinable
  func element(of number: UInt32) -> UnsafeMutablePointer<Element> {
    node(number).assumingMemoryBound(to: Element.self)
  }

  /// Takes a node, which then belongs to the caller; its element is not initialised.
  @inlinable
  func take() -> UInt32 {
    while true {
      let head = TaggedIndex(free.loadAcquire())
      if head.number == 0 { return fresh() }
      let rest = head.moved(to: next(of: head.number))
      if free.compareExchange(head.bits, rest.bits) { return head.number }
    }
  }

  /// Gives back the chain from `first` to `last`, whose elements have been moved out. False if the pool is
  /// closed.
  @inlinable @discardableResult
  func giveBack(_ first: UInt32, through last: UInt32) -> Bool {
    while true {
      let head = TaggedIndex(free.loadRelaxed())
      if head.number == Self.closed { return false }
      setNext(of: last, to: head.number)
      if free.compareExchange(head.bits, head.moved(to: first).bits) { return true }
    }
  }

  /// Closes the pool: from now on it takes nothing back, and nobody may take a node. Returns how many were
  /// free.
  func close() -> Int {
    var number = TaggedIndex(free.exchange(UInt64(Self.closed))).number
    if number == Self.closed { return 0 }
    var count = 0
    while number != 0 {
      count += 1
      number = next(of: number)
    }
    return count
  }

  /// A node that was never handed out before. Allocates when it opens a chunk.
  @usableFromInline
  func fresh() -> UInt32 {
    let number = UInt32(used.add(1)) + 1
    let (index, _) = Self.chunk(of: number)
    if index >= Self.chunkLimit {
      fatalError(
        "weir: over four billion events or pieces of work wait in one place; slow the senders down or consume faster"
      )
    }
    install(into: first, size: Self.chunkSize(0))
    if index > 1 { install(into: table, size: Self.chunkLimit * 8) }
    if index > 0 { install(into: place(ofChunk: index), size: Self.chunkSize(index)) }
    return number
  }

  /// Publishes a new block in an empty word; of several threads one wins, and the others free their blocks.
  func install(into word: AtomicWord, size: Int) {
    if word.loadAcquire() != 0 { return }
    let block = weir_block_allocate(size)
    if !word.compareExchange(0, UInt64(UInt(bitPattern: block))) { weir_block_free(block, size) }
  }

  /// Places the first chunk in memory of the pool's owner, so that it needs no block of its own. To be called
  /// before the pool is used.
  ///
  /// - Parameter memory: zeroed, of the first chunk's size, aligned as elements and fronts are to be; to be
  ///   passed to ``destroy(keeping:)``.
  @inlinable
  func begin(in memory: UnsafeMutableRawPointer) { first.storeRelaxed(UInt64(UInt(bitPattern: memory))) }

  /// Frees all memory except what the owner has lent. No other thread may use the pool any more, and no node
  /// may hold an element.
  @usableFromInline
  func destroy(keeping lent: UnsafeMutableRawPointer? = nil) {
    guard let chunk = Self.block(at: first) else { return }
    if let chunks = Self.block(at: table) {
      for index in 2..<Self.chunkLimit { free(chunk: index) }
      weir_block_free(chunks, Self.chunkLimit * 8)
    }
    free(chunk: 1)
    if chunk != lent { weir_block_free(chunk, Self.chunkSize(0)) }
  }

  private func free(chunk index: Int) {
    if let chunk = Self.block(at: place(ofChunk: index)) { weir_block_free(chunk, Self.chunkSize(index)) }
  }

  private static func block(at place: AtomicWord) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: UInt(place.loadRelaxed()))
  }
}
