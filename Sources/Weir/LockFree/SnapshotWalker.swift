// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The walking side of a SnapshotCell, whose invariants are at the head of SnapshotCell.swift. It is separate
// because a send needs just this, from one cache line: the current block, the retired list, and the hazard.

/// Which side makes sure that a published hazard is seen: store buffering needs a fence between the store and
/// the load of each side.
@frozen @usableFromInline
enum HazardFence: Sendable {
  /// Publishing is a read-modify-write.
  case ofWalker
  /// Publishing is a plain store; a reclaimer has all threads of the process execute a fence before it reads
  /// the hazard.
  case ofReclaimer
}

/// Walks the current snapshot of a ``SnapshotCell``. For the holder of the hazard only.
@frozen @usableFromInline
struct SnapshotWalker {
  /// A cache line: the current block, the retired list, the hazard with room for the words of a turn, the
  /// slot of the first array, and the block of that.
  static var wordCount: Int { 8 }

  @usableFromInline let hot: UnsafeMutablePointer<UInt64>

  @inlinable @inline(__always)
  init(_ hot: UnsafeMutablePointer<UInt64>) { self.hot = hot }

  @inlinable @inline(__always) var retired: AtomicWord { AtomicWord(hot + 1) }
  /// 0, or the bits of the block being walked with the lowest bit set; just the bit while the holder walks
  /// none. Or it says that the turn is biased to a thread, which publishes that elsewhere (``Bias``).
  @inlinable @inline(__always) var hazard: AtomicWord { AtomicWord(hot + 2) }
  /// The hazard, wherever the holder of the turn publishes it.
  @inlinable @inline(__always) var ownHazard: AtomicWord { Bias(hot + 2).mark }

  /// The only slot of the first array. Empty until an entry is listed: then it has that entry, or was sealed
  /// before.
  @inlinable @inline(__always) var firstSlot: AtomicWord { AtomicWord(hot + 6) }
  /// The bits of the block with that array; 0 from before the block is reused.
  @inlinable @inline(__always) var firstBlock: AtomicWord { AtomicWord(hot + 7) }

  @inlinable @inline(__always)
  var current: PinnedBlock<SnapshotSlots> { PinnedBlock(bits: AtomicWord(hot).load()).unsafelyUnwrapped }

  /// The current block, given one that was current before it was published as the hazard.
  @inlinable @inline(__always)
  func validated(_ published: PinnedBlock<SnapshotSlots>) -> PinnedBlock<SnapshotSlots> {
    // Returning the argument keeps what follows independent of this load.
    current == published ? published : protectCurrent()
  }

  /// Moves the hazard to the current block, if it is not there.
  @inlinable
  func protectCurrent() -> PinnedBlock<SnapshotSlots> {
    var block = current
    if ownHazard.loadRelaxed() == block.bits | 1 { return block }
    while true {
      protect(block)
      let now = current
      if now == block { return block }
      block = now
    }
  }

  /// The current block, protected, where only one thread at a time ever walks, without a turn. Ends with
  /// ``endAlone(_:)``.
  @inlinable @inline(__always)
  func beginAlone(_ fence: HazardFence) -> PinnedBlock<SnapshotSlots> {
    var block = current
    while true {
      switch fence {
      case .ofWalker: protect(block)
      case .ofReclaimer: hazard.storeAsymmetric(block.bits | 1)
      }
      let now = current
      if now == block { return block }
      block = now
    }
  }

  /// Gives the hazard up. Check ``hasRetired`` afterwards.
  @inlinable @inline(__always)
  func endAlone(_ fence: HazardFence) {
    switch fence {
    case .ofWalker: _ = hazard.exchange(0)
    case .ofReclaimer: hazard.storeAsymmetric(0)
    }
  }

  /// Moves the hazard to a block that is pinned, or is validated afterwards.
  @inlinable
  func protect(_ block: PinnedBlock<SnapshotSlots>) { _ = ownHazard.exchange(block.bits | 1) }

  /// The slots of a protected or pinned block whose tickets have been given out, filled or not; perhaps one
  /// more. For a list of one the block is not read: where sources are many, it is cold, and the slot is here.
  @inlinable @inline(__always)
  func slots(of block: PinnedBlock<SnapshotSlots>) -> UnsafeBufferPointer<UInt64> {
    if firstBlock.loadRelaxed() == block.bits {
      return UnsafeBufferPointer(start: firstSlot.address, count: 1)
    }
    let list = block.payload.pointee
    let count = min(Int(truncatingIfNeeded: block.control.loadAcquire() >> 32), list.capacity)
    return UnsafeBufferPointer(start: list.slots, count: list.slots == nil ? 0 : count)
  }

  @inlinable @inline(__always)
  func content(of slot: UnsafePointer<UInt64>) -> SnapshotSlot {
    SnapshotSlot(bits: AtomicWord(UnsafeMutablePointer(mutating: slot)).loadAcquire())
  }

  /// Whether any of some slots lists an entry. Reads no entry: the block need not be protected, if it is
  /// pinned.
  @inlinable @inline(__always)
  func hasEntries(in slots: UnsafeBufferPointer<UInt64>) -> Bool {
    guard var slot = slots.baseAddress else { return false }
    let end = slot + slots.count
    while slot != end {
      if content(of: slot).entry != nil { return true }
      slot += 1
    }
    return false
  }

  /// Calls `visit` with every live entry of a protected block, in order.
  @inlinable @inline(__always)
  func walk(_ block: PinnedBlock<SnapshotSlots>, _ visit: (SnapshotEntry) -> Void) {
    walk(slots(of: block), visit)
  }

  /// Calls `visit` with every live entry in some slots of a protected block, in order.
  @inlinable @inline(__always)
  func walk(_ slots: UnsafeBufferPointer<UInt64>, _ visit: (SnapshotEntry) -> Void) {
    guard var slot = slots.baseAddress else { return }
    let end = slot + slots.count
    while slot != end {
      if let entry = content(of: slot).entry?.ifLive { visit(entry) }
      slot += 1
    }
  }

  /// Whether something waits for the hazard to be given up: to be checked after that, and between several
  /// walks.
  @inlinable @inline(__always) var hasRetired: Bool { retired.load() != 0 }
}
