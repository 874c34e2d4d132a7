// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Pinned cell
//
// Guarantees: any thread may read the content of the cell while others replace it; nobody waits; replaced
// content is destroyed when its last reader has left. Loading a pointer and then retaining its target is a
// use-after-free, whatever compare-exchange accompanies it: this protocol makes it safe.
//
// A block is [control | link | sequence | Payload | its node's link and note]; the note is the node's number.
// Block memory is type-stable: it comes from a node pool of the cell and is freed with the cell, so pinning a
// block that is no longer current is harmless.
//
// `control` is [tickets: 32 | pins: 30 | claimed: 1 | retired: 1]. Tickets are free for the user of the cell.
// It may also leave pins in a block that is current, and have them removed all at once when it replaces that.
//
// Protocol:
//  - pin: load `current`, add a pin to its block, load `current` again; if it moved, or the block was retired
//    when the pin was added, unpin and start over.
//  - replace: compare-exchange `current` (holding a pin on the old block), then set `retired` in the old one.
//    (The flag may be set in the operation that unpins the old block, and `claimed` with it if that takes the
//    last pin.)
//  - unpin: subtract the pin. A thread that leaves no pin on a retired block claims it by compare-exchange:
//    exactly one succeeds. The claimer destroys the payload, or hands the block to a user of the cell that
//    must wait until a hazard is cleared (SnapshotCell).
//
// Invariants:
//  1. A validated pin keeps the payload alive: replace sets `retired` after the exchange, and claiming needs
//     zero pins.
//  2. A pin that did not validate touches nothing but `control`.
//  3. A block in the pool keeps both flags, so a stray unpin cannot claim it again. Reusing the block
//     preserves stray pins, but not stray tickets: a thread that took one finds the flags in the same word,
//     and takes another one. (The second load of `current` alone would not do: the block may be current again
//     by then.) A block that was made and not published has no flags, and so if it has tickets is given up
//     like one that was replaced: a pin that was added meanwhile keeps it out of the pool.
//  4. `sequence` is for the user of the cell, and readable at any time: SnapshotCell and ValueCell increment
//     it with every block that they publish.
//
// Orderings: sequentially consistent. Pins and flags are in one word; a user that pins, and then reads a word
// of its own, as ReplayLog does, is half of store buffering.

/// One block of a ``PinnedCell``; valid memory for as long as the cell lives.
@frozen @usableFromInline
struct PinnedBlock<Payload>: Equatable {
  @usableFromInline let base: UnsafeMutableRawPointer

  @inlinable @inline(__always) init(_ base: UnsafeMutableRawPointer) { self.base = base }
  @inlinable @inline(__always) init?(bits: UInt64) {
    guard let base = UnsafeMutableRawPointer(bitPattern: UInt(bits)) else { return nil }
    self.base = base
  }
  @inlinable @inline(__always) var bits: UInt64 { UInt64(UInt(bitPattern: base)) }
  @inlinable @inline(__always) var control: AtomicWord { AtomicWord(at: base) }
  @inlinable @inline(__always) var link: AtomicWord { AtomicWord(at: base + 8) }
  @inlinable @inline(__always) var sequence: AtomicWord { AtomicWord(at: base + 16) }
  @inlinable @inline(__always) var payload: UnsafeMutablePointer<Payload> {
    (base + PinnedStorage<Payload>.payloadOffset).assumingMemoryBound(to: Payload.self)
  }
  @inlinable static func == (left: Self, right: Self) -> Bool { left.base == right.base }
}

/// The layout of a block in memory, which gives the pool its element size. Blocks are accessed word by word,
/// never as a whole.
@frozen @usableFromInline
struct PinnedStorage<Payload> {
  @usableFromInline var control, link, sequence: UInt64
  @usableFromInline var payload: Payload

  @inlinable static var payloadOffset: Int { 24.alignedUp(to: MemoryLayout<Payload>.alignment) }
}

/// Constants of a block's control word.
@frozen @usableFromInline
enum PinnedControl {
  @inlinable @inline(__always) static var retired: UInt64 { 1 }
  @inlinable @inline(__always) static var claimed: UInt64 { 2 }
  @inlinable @inline(__always) static var pin: UInt64 { 4 }
  @inlinable @inline(__always) static var pins: UInt64 { 0xFFFF_FFFC }
  @inlinable @inline(__always) static var ticket: UInt64 { 1 << 32 }
}

/// A cell whose content is replaced by some threads while others read it.
@frozen @usableFromInline
struct PinnedCell<Payload>: @unchecked Sendable {  // shared through atomics and the pin protocol only
  @usableFromInline typealias Pool = NodePool<Void, PinnedStorage<Payload>>
  @usableFromInline static var wordCount: Int { Pool.wordCount }

  @usableFromInline let current: AtomicWord
  @usableFromInline let pool: Pool

  /// - Parameters:
  ///   - current: the word that names the current block; separate, because users want it beside their other
  ///     hot words.
  ///   - words: ``wordCount`` zeroed words that outlive the cell.
  @inlinable @inline(__always)
  init(current: UnsafeMutablePointer<UInt64>, words: UnsafeMutablePointer<UInt64>) {
    self.current = AtomicWord(current)
    pool = Pool(words: words)
  }

  /// Gives a new cell its first content, before any other thread knows of it.
  @inlinable
  func publishFirst(_ payload: consuming Payload) {
    current.storeRelease(make(payload, sequence: 1).bits)
  }

  @inlinable @inline(__always)
  func currentBlock() -> PinnedBlock<Payload> {
    PinnedBlock(bits: current.load()).unsafelyUnwrapped
  }

  /// Pins the current block, and adds `tickets` to its control word in the same operation.
  ///
  /// - Parameter reclaim: called with a block that this call claimed on the way, as ``unpin(_:)`` may.
  @inlinable
  func pin(
    adding tickets: UInt64 = 0, reclaim: (PinnedBlock<Payload>) -> Void
  ) -> (block: PinnedBlock<Payload>, controlBefore: UInt64) {
    while true {
      let block = currentBlock()
      let before = block.control.add(PinnedControl.pin &+ tickets)
      if before & PinnedControl.retired == 0, current.load() == block.bits { return (block, before) }
      if unpin(block) { reclaim(block) }
    }
  }

  /// Removes a pin. True if the caller has thereby claimed the block, and must have it passed to
  /// ``recycle(_:)``.
  @inlinable
  func unpin(_ block: PinnedBlock<Payload>) -> Bool {
    let before = block.control.subtract(PinnedControl.pin)
    return before & PinnedControl.retired != 0 && claim(block, ifLastOf: before)
  }

  /// Claims a retired block from which the caller has just removed a pin, if that was the only one in
  /// `before`.
  @inlinable @inline(__always)
  func claim(_ block: PinnedBlock<Payload>, ifLastOf before: UInt64) -> Bool {
    if before & PinnedControl.pins != PinnedControl.pin { return false }
    while true {
      let now = block.control.load()
      if now & (PinnedControl.retired | PinnedControl.claimed | PinnedControl.pins) != PinnedControl.retired {
        return false
      }
      if block.control.compareExchange(now, now | PinnedControl.claimed) { return true }
    }
  }

  /// Makes a block with `tickets` tickets and as many pins, which belongs to the caller and is not yet
  /// published.
  @inlinable
  func make(_ payload: consuming Payload, sequence: UInt64, tickets: UInt64 = 0) -> PinnedBlock<Payload> {
    let number = pool.take()
    let block = PinnedBlock<Payload>(UnsafeMutableRawPointer(pool.element(of: number)))
    Pool.setNote(at: block.base, to: number)
    block.payload.initialize(to: payload)
    block.sequence.storeRelaxed(sequence)
    while true {
      let stray = block.control.load()
      let pins = (stray & PinnedControl.pins) &+ tickets &* PinnedControl.pin
      if block.control.compareExchange(stray, tickets &* PinnedControl.ticket | pins) { return block }
    }
  }

  /// Publishes `new` in place of `old`, which the caller has pinned, and still has to unpin. False if `old`
  /// is not current.
  ///
  /// - Parameter left: how many pins nobody will remove: they are removed with the block.
  @inlinable
  func replace(
    _ old: PinnedBlock<Payload>, by new: PinnedBlock<Payload>, removing left: UInt64 = 0
  ) -> Bool {
    guard current.compareExchange(old.bits, new.bits) else { return false }
    // The flag was not set: only the thread that replaces a block sets it.
    old.control.add(PinnedControl.retired &- left &* PinnedControl.pin)
    return true
  }

  /// Gives up a block with tickets that was made, but could not be published: see invariant 3.
  ///
  /// - Parameter own: how many pins it was made with.
  /// - Returns: true if the caller has claimed it.
  func giveUp(_ block: PinnedBlock<Payload>, removing own: UInt64) -> Bool {
    block.control.add(PinnedControl.retired &+ PinnedControl.pin &- own &* PinnedControl.pin)
    return unpin(block)
  }

  /// The same for a caller that does not read `old` any more: if it succeeds, it also unpins that, in the
  /// step in which it retires it, and claims it in that step, too, if nobody else has pinned it. For cells
  /// whose blocks are recycled as soon as they are claimed.
  @inlinable
  func replaceUnpinning(_ old: PinnedBlock<Payload>, by new: PinnedBlock<Payload>) -> Bool {
    guard current.compareExchange(old.bits, new.bits) else { return false }
    let now = old.control.loadRelaxed()
    let flags = PinnedControl.retired | PinnedControl.claimed
    if now & PinnedControl.pins == PinnedControl.pin,
      old.control.compareExchange(now, (now &- PinnedControl.pin) | flags)
    {
      recycle(old)
    } else {
      let before = old.control.add(PinnedControl.retired &- PinnedControl.pin)
      if claim(old, ifLastOf: before) { recycle(old) }
    }
    return true
  }

  /// Replaces the content by the result of `change`, as one step: no other replacement comes in between. For
  /// cells whose blocks are recycled as soon as they are claimed.
  ///
  /// - Parameter change: runs no user code. It is called again if another replacement came first; the
  ///   last call counts.
  @inlinable
  func update<Outcome>(_ change: (inout Payload) -> Outcome) -> Outcome {
    while true {
      let (block, _) = pin(reclaim: recycle)
      var content = block.payload.pointee
      let outcome = change(&content)
      let replacement = make(consume content, sequence: 0)
      if replaceUnpinning(block, by: replacement) { return outcome }
      recycle(replacement)
      if unpin(block) { recycle(block) }
    }
  }

  /// Destroys the payload of a block that was claimed, or never published, and gives the block back to the
  /// pool.
  @inlinable
  func recycle(_ block: PinnedBlock<Payload>) {
    block.payload.deinitialize(count: 1)
    // One that was claimed has both flags.
    if block.control.loadRelaxed() & PinnedControl.claimed == 0 {
      block.control.formUnion(PinnedControl.retired | PinnedControl.claimed)
    }
    let number = Pool.note(at: block.base)
    pool.giveBack(number, through: number)
  }

  /// Destroys the current payload and frees all blocks. No other thread may use the cell any more.
  @inlinable
  func destroy(keeping lent: UnsafeMutableRawPointer? = nil) {
    currentBlock().payload.deinitialize(count: 1)
    pool.destroy(keeping: lent)
  }
}
