// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Snapshot cell
//
// Guarantees: a list that one thread at a time walks in order while any number of others append and remove.
// Nobody waits, no thread has to work for others, append and remove are O(1) amortised and copy no list, and
// a removed entry's payload is destroyed at once unless a walk may be inside it; then it is destroyed when
// that walk is over.
//
// A snapshot is a fixed array of slots behind a block of a PinnedCell. Appending takes a ticket of the block,
// which is the slot's index, and fills the slot; so the walk sees a growing prefix of one array and needs no
// copy. Removing marks the entry dead. A full array, or one with mostly dead entries, is sealed and renewed:
// its live entries are listed in a new one. The first array has a single slot, among the hot words of the
// cell: many lists never have a second entry.
//
// The walker does not pin. It publishes the block it walks in the hazard word, which is the token of the
// delivery turn it holds anyway: the compare-exchange that takes the turn is the one that publishes the
// hazard.
//
// Invariants:
//  1. A slot goes from empty to an entry, or from empty to sealed, once, by compare-exchange, and only the
//     thread that has its ticket puts an entry there. (Until an array is published, it is its maker's own.)
//     When an array has no tickets left and all slots whose tickets were given out are filled or sealed,
//     its content is final, and every thread that renews it finds the same entries. (Taking all tickets at
//     once saves sealing slots that nobody was given: most lists are short when they end.) An entry's kind
//     is stored with it, in every array that lists it. Each entry in a slot also stands for one pin of the
//     block: the thread that has put it there does not remove its pin, one that renews the array makes the
//     new block with as many pins as it lists entries, and the one that replaces a block removes as many as
//     it has found, of which there are no more by then. So subscribing takes no operation to unpin. (There
//     is room for 2^30 pins; so many entries take 96 GB.)
//  2. A thread that meets a sealed or full array renews it itself, so no stalled thread holds up another. If
//     it wants to append an entry, it lists that in the new array. So whoever replaces a block has thereby
//     appended, closed or removed something, and others have to start over only because of that.
//  3. Slots own a reference to their entry; a reclaimed array releases its references.
//  4. A block is reclaimed when it is retired, unpinned, and not in the hazard word. A hazard is valid when
//     `current` still names its block after it was published; an invalid one is not used. A hazard that names
//     no block, of a turn in which nothing is walked, protects nothing: a holder that walks in that turn
//     publishes a block first, and reads entries after that. Reclaimers read the hazard only by
//     `publishedHazard()`.
//  5. Blocks and entries that must wait for the hazard are in the `retired` list. A thread that adds to it
//     then reads the hazard; a walker that gives the hazard up then reads the list: at least one of them sees
//     the other's write and scavenges.
//  6. `firstBlock` names the block of the first array until that is reclaimed: then it is cleared, before the
//     block goes back to its pool. So a walker that finds its block there reads the slot without the block.
//  7. A block older than an entry does not list it (`born` > `sequence`), so a blocked walk holds back only
//     entries of its own array: a bounded number, whatever is subscribed and disposed meanwhile.
//
// Orderings: 4 and 5 are store buffering, hence sequentially consistent throughout, or with a fence on the
// reclaiming side only (HazardFence); filling a slot releases the entry, reading it acquires it.
// For 6, publishing a block releases the clearing, and the load of `current` that validates a hazard or a pin
// acquires it; `firstBlock` is read after that.

/// The slots behind one block.
@frozen @usableFromInline
struct SnapshotSlots {
  @usableFromInline let slots: UnsafeMutablePointer<UInt64>?
  @usableFromInline let storedCapacity: UInt32
  @usableFromInline let standing: Standing

  /// A closed list takes no more entries.
  @frozen @usableFromInline enum Standing { case open, closed }

  @inlinable
  init(capacity: Int, _ standing: Standing = .open) {
    slots =
      capacity == 0
      ? nil : weir_block_allocate_unaligned(8 * capacity).assumingMemoryBound(to: UInt64.self)
    storedCapacity = UInt32(capacity)
    self.standing = standing
  }
  /// An array of one slot, which is not freed with it.
  init(lent slot: UnsafeMutablePointer<UInt64>) {
    slots = slot
    storedCapacity = 1
    standing = .open
  }

  @inlinable @inline(__always) var capacity: Int { Int(storedCapacity) }
  @inlinable var isClosed: Bool { standing == .closed }
  @inlinable @inline(__always)
  subscript(index: Int) -> AtomicWord { AtomicWord(slots.unsafelyUnwrapped + index) }
  @inlinable
  func free() { if let slots, capacity > 1 { weir_block_free(slots, 8 * capacity) } }
}

/// Zeroed memory that the owner of a cell has for it. Most lists need no more.
struct SnapshotRoom {
  static var entrySize: Int { SnapshotCell.Entries.chunkSize(0) }
  static var blocksSize: Int { PinnedCell<SnapshotSlots>.Pool.chunkSize(0) }

  /// For the first entry: its front fills the second half of a cache line, its rear the next line.
  let entry: UnsafeMutableRawPointer
  /// For the first two blocks.
  let blocks: UnsafeMutableRawPointer
}

/// How the owner of a cell destroys the payload of the entry at an address. A bare function: a closure would
/// have its context retained with each copy of the cell.
@usableFromInline typealias PayloadDestructor = @convention(c) (UnsafeMutableRawPointer) -> Void

/// An ordered list of entries that is walked by the holder of a hazard while any thread changes it.
///
/// Payloads are raw memory, and the owner says how to destroy one: so this is compiled once, for all types of
/// values.
@frozen @usableFromInline
struct SnapshotCell: @unchecked Sendable {  // shared through atomics and the rules above only
  @usableFromInline typealias Block = PinnedBlock<SnapshotSlots>
  @usableFromInline typealias Entries = NodePool<SnapshotFront, SnapshotRear>

  static var coldWordCount: Int { 1 + PinnedCell<SnapshotSlots>.wordCount + Entries.wordCount }
  static var leastCapacity: Int { 16 }

  /// See ``SnapshotWalker``. The hazard is also the token of a turn.
  @usableFromInline let hot: UnsafeMutablePointer<UInt64>
  @usableFromInline let cold: UnsafeMutablePointer<UInt64>
  @usableFromInline let destroyPayload: PayloadDestructor
  @usableFromInline let fence: HazardFence

  /// - Parameters:
  ///   - hot: ``SnapshotWalker/wordCount`` zeroed words.
  ///   - cold: ``coldWordCount`` zeroed words.
  ///   - room: memory for the first entry and the first blocks; if nil, the cell allocates it.
  ///   - fence: which side of the hazard executes it.
  ///   - destroyPayload: called once for each payload; it may run user code.
  init(
    hot: UnsafeMutablePointer<UInt64>, cold: UnsafeMutablePointer<UInt64>,
    room: SnapshotRoom? = nil, fence: HazardFence = .ofWalker,
    destroyPayload: @escaping PayloadDestructor
  ) {
    self.hot = hot
    self.cold = cold
    self.fence = fence
    self.destroyPayload = destroyPayload
    if let room {
      entries.begin(in: room.entry)
      cell.pool.begin(in: room.blocks)
    }
    let walker = SnapshotWalker(hot)
    cell.publishFirst(SnapshotSlots(lent: walker.firstSlot.address))
    walker.firstBlock.storeRelaxed(cell.currentBlock().bits)
  }

  @inlinable @inline(__always) var cell: PinnedCell<SnapshotSlots> {
    PinnedCell(current: hot, words: cold + 1 + Entries.wordCount)
  }
  @inlinable @inline(__always) var retired: AtomicWord { SnapshotWalker(hot).retired }
  /// Roughly how many entries died and are still listed in the current snapshot: two increments at once may
  /// count as one, and the number only tells when it is time to renew the array.
  @inlinable @inline(__always) var deadCount: AtomicWord { AtomicWord(cold) }
  @inlinable @inline(__always) var entries: Entries { Entries(words: cold + 1) }

  /// Whether an entry was ever made.
  var hasMadeEntries: Bool { entries.used.loadRelaxed() != 0 }

  /// A new entry for ``append(_:)``, with room for a payload that the caller initialises. It has two
  /// references: one that ``append(_:as:)`` takes, one for the caller.
  @usableFromInline
  func makeEntry(ordinal: UInt64) -> SnapshotEntry {
    let number = entries.take()
    let entry = SnapshotEntry(at: entries.front(of: number))
    assert(entry.rear(ofNode: number) == entries.node(number))
    entry.begin(asNode: number, ordinal: ordinal)
    return entry
  }

  /// Appends an entry, which may be dead by now. False if the list is closed; the reference for listing then
  /// still belongs to the caller, who keeps the cell alive: the entry may be discarded before this returns.
  @usableFromInline
  func append(_ entry: SnapshotEntry, as kind: SnapshotKind = .plain) -> Bool {
    while true {
      let (block, before) = cell.pin(adding: PinnedControl.ticket, reclaim: retire)
      let list = block.payload.pointee
      if list.isClosed {
        unpin(block)
        return false
      }
      entry.born.storeRelaxed(block.sequence.loadRelaxed())
      let index = Int(truncatingIfNeeded: before >> 32)
      let isListed =
        index < list.capacity
        && list[index].compareExchange(SnapshotSlot.empty, SnapshotSlot(entry, kind).bits)
      // From here on the slot stands for the pin: the block may be gone.
      if isListed { return true }
      let isRenewed = renew(block, as: .open, adding: (entry, kind))
      unpin(block)
      if isRenewed { return true }
    }
  }

  /// Removes a dead entry, for the one caller whose ``SnapshotEntry/die()`` returned true. Uses up the
  /// caller's reference.
  func discard(_ entry: SnapshotEntry) {
    if entry.isKept { return release(entry) }
    let dead = deadCount.loadRelaxed() &+ 1
    deadCount.storeRelaxed(dead)
    let listed = cell.currentBlock().control.loadRelaxed() >> 32
    let isCrowded = dead > Self.leastCapacity && dead > listed / 2
    // The entry may be all that keeps this cell alive.
    if !isCrowded, !mayBeWalked(entry) { return destroy(entry) }
    entry.withOwner {
      if mayBeWalked(entry) {
        push(entry.bits | 1, through: entry.link)
        if publishedHazard() == 0 { scavenge() }
      } else {
        destroy(entry)
      }
      if isCrowded { compact() }
    }
  }

  /// Closes the list: nothing can be appended any more. Returns the last snapshot, whose content is final and
  /// which stays valid until it is passed to ``unpin(_:)``; nil if it was closed already.
  @usableFromInline
  func close() -> Block? {
    while true {
      let (block, _) = cell.pin(reclaim: retire)
      if block.payload.pointee.isClosed {
        unpin(block)
        return nil
      }
      if renew(block, as: .closed) { return block }
      unpin(block)
    }
  }

  @usableFromInline
  func unpin(_ block: Block) { if cell.unpin(block) { retire(block) } }

  func compact() {
    let (block, _) = cell.pin(reclaim: retire)
    if !block.payload.pointee.isClosed { renew(block, as: .open) }
    unpin(block)
  }

  /// Seals a pinned block and publishes a new one with its live entries, or an empty, closed one. False if
  /// another thread has replaced the block.
  ///
  /// - Parameter arrival: an entry that is to be listed as well, behind all others, and its kind. If it is,
  ///   the caller's reference for listing is used up.
  @discardableResult
  func renew(
    _ block: Block, as standing: SnapshotSlots.Standing,
    adding arrival: (entry: SnapshotEntry, kind: SnapshotKind)? = nil
  ) -> Bool {
    let old = block.payload.pointee
    // The slot of the first array is sealed even if nobody has its ticket, unless the list is closed: so it
    // tells whether anything was ever listed.
    let least = standing == .open && old.capacity == 1 ? 1 : 0
    let given = max(least, takeAllTickets(of: block))
    var (live, filled) = (0, UInt64(0))
    for index in 0..<given {
      let slot = old[index]
      if slot.loadAcquire() == SnapshotSlot.empty {
        _ = slot.compareExchange(SnapshotSlot.empty, SnapshotSlot.sealed)
      }
      guard let entry = SnapshotSlot(bits: slot.loadAcquire()).entry else { continue }
      filled += 1
      if !entry.isDead { live += 1 }
    }
    var capacity = Self.leastCapacity
    while capacity < 2 * live { capacity *= 2 }
    let new = SnapshotSlots(capacity: standing == .closed ? 0 : capacity, standing)
    var kept = 0
    for index in 0..<given {
      let slot = SnapshotSlot(bits: old[index].loadAcquire())
      // An entry that was dead when live ones were counted is dead now: so there is room for all live ones.
      guard standing == .open, let entry = slot.entry, !entry.isDead else { continue }
      entry.retain()
      new[kept].storeRelaxed(slot.bits)
      kept += 1
    }
    let sequence = block.sequence.loadRelaxed() + 1
    if let (entry, kind) = arrival {
      entry.born.storeRelaxed(sequence)
      new[kept].storeRelaxed(SnapshotSlot(entry, kind).bits)
      kept += 1
    }
    let replacement = cell.make(new, sequence: sequence, tickets: UInt64(kept))
    if cell.replace(block, by: replacement, removing: filled) {
      deadCount.storeRelaxed(0)
      return true
    }
    // Its reference is still the caller's.
    if arrival != nil { new[kept - 1].storeRelaxed(SnapshotSlot.sealed) }
    if cell.giveUp(replacement, removing: UInt64(kept)) { retire(replacement) }
    return false
  }

  /// Takes all remaining tickets of a pinned block, and returns how many slots may be filled. If another
  /// thread has done so before, that is all of them. The modification order of the word is enough: slots have
  /// orderings of their own. (Each thread adds at most as many tickets as there are slots, once: that never
  /// adds up to four billion.)
  private func takeAllTickets(of block: Block) -> Int {
    let capacity = UInt64(block.payload.pointee.capacity)
    if block.control.loadRelaxed() >> 32 >= capacity { return Int(capacity) }
    return Int(min(block.control.addRelaxed(capacity &* PinnedControl.ticket) >> 32, capacity))
  }
}
