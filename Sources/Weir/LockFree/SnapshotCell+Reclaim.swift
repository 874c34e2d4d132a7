// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// Reclamation for SnapshotCell; the invariants are at the head of SnapshotCell.swift. The retired list holds
// blocks, and entries marked by the lowest bit; each has a word `link` for it. It is a stack, but what one
// thread takes from it is reclaimed in the order in which it was retired: users' clean-ups run in there.

extension SnapshotCell {
  /// The hazard, for a thread that has just made something unreachable, or put it into the retired list.
  @inlinable
  func publishedHazard() -> UInt64 {
    if fence == .ofReclaimer { weir_process_fence() }
    return Bias(hot + 2).published()
  }

  /// Whether a walk may be under way that has not seen that the entry is dead.
  @inlinable
  func mayBeWalked(_ entry: SnapshotEntry) -> Bool {
    // A holder that has published no block yet does so before it walks, and then finds the entry dead.
    guard let block = Block(bits: publishedHazard() & ~1) else { return false }
    // If the hazard has moved since, this reads a higher sequence: conservative, never wrong.
    return block.sequence.loadRelaxed() >= entry.born.loadRelaxed()
  }

  /// Takes over a block that was claimed: it is recycled now, or when its walker has left. A hazard that
  /// names it after this check does not validate.
  func retire(_ block: Block) {
    guard publishedHazard() & ~1 == block.bits else { return reclaim(block.bits) }
    push(block.bits, through: block.link)
    if publishedHazard() & ~1 != block.bits { scavenge() }
  }

  func push(_ first: UInt64, through last: AtomicWord) {
    while true {
      let head = retired.loadRelaxed()
      last.storeRelaxed(head)
      if retired.compareExchange(head, first) { return }
    }
  }

  @inlinable
  func link(of item: UInt64) -> AtomicWord {
    item & 1 == 0 ? Block(bits: item).unsafelyUnwrapped.link : SnapshotEntry(bits: item & ~1).link
  }

  /// Reclaims retired items that are not protected. Protected ones go back to the list, and the walker that
  /// protects them will reclaim them.
  @usableFromInline
  func scavenge() {
    while true {
      var item = inOrder(retired.exchange(0))
      if item == 0 { return }
      let published = publishedHazard()
      var kept: UInt64 = 0
      var lastKept: AtomicWord?
      while item != 0 {
        let following = link(of: item).loadRelaxed()
        if isProtected(item, by: published) {
          if lastKept == nil { lastKept = link(of: item) }
          link(of: item).storeRelaxed(kept)
          kept = item
        } else {
          reclaim(item)
        }
        item = following
      }
      guard let lastKept else { continue }
      push(kept, through: lastKept)
      // A walker that has a hazard now gives it up after this check, and then finds the list.
      if publishedHazard() != 0 { return }
    }
  }

  /// Reclaims all retired items. Only for the holder of the turn, and only while it walks nothing.
  @usableFromInline
  func reclaimBetweenWalks() {
    var item = inOrder(retired.exchange(0))
    while item != 0 {
      let following = link(of: item).loadRelaxed()
      reclaim(item)
      item = following
    }
  }

  /// Reverses a list that the caller has taken, whose newest item is the first one.
  private func inOrder(_ newest: UInt64) -> UInt64 {
    var (item, reversed) = (newest, UInt64(0))
    while item != 0 {
      let link = link(of: item)
      let following = link.loadRelaxed()
      link.storeRelaxed(reversed)
      reversed = item
      item = following
    }
    return reversed
  }

  @inlinable
  func isProtected(_ item: UInt64, by published: UInt64) -> Bool {
    if published == 0 { return false }
    if item & 1 == 0 { return published & ~1 == item }
    return mayBeWalked(SnapshotEntry(bits: item & ~1))
  }

  /// Destroys the payload of a dead entry, and uses up a reference; only for the thread that owns this duty
  /// by invariants 1 and 2 of SnapshotEntry.
  func destroy(_ entry: SnapshotEntry) {
    destroyPayload(entry.base)
    // Both in one step: one reference less, and the flag `released`, which nobody else sets.
    let before = weir_add_seq_cst_u32(entry.state, SnapshotEntry.released &- SnapshotEntry.reference)
    if SnapshotEntry.isLastReference(before) { giveBack(entry) }
  }

  @usableFromInline
  func release(_ entry: SnapshotEntry) { if releaseLast(entry) { giveBack(entry) } }

  /// Uses up a reference. True if it was the last one: then the payload is destroyed, and the caller has to
  /// give the entry back.
  private func releaseLast(_ entry: SnapshotEntry) -> Bool {
    // A sole reference need not be counted down: new ones are made from others only, so there will be no
    // second one.
    var before = weir_load_acquire_u32(entry.state)
    if !SnapshotEntry.isLastReference(before) {
      before = weir_add_seq_cst_u32(entry.state, 0 &- SnapshotEntry.reference)
    }
    guard SnapshotEntry.isLastReference(before) else { return false }
    if before & SnapshotEntry.released == 0 { destroyPayload(entry.base) }
    return true
  }

  /// Gives an entry back to the pool. The cell may be gone when this returns, if it belongs to the entry's
  /// owner.
  func giveBack(_ entry: SnapshotEntry) {
    let number = entry.number
    if !entries.giveBack(number, through: number) { entry.releaseOwner(1) }
  }

  /// Frees a list that nobody reads, and releases its references. Entries go back to their pool all at once.
  func releaseEntries(of list: SnapshotSlots) {
    var (last, newest): (SnapshotEntry?, SnapshotEntry?)
    var count = 0
    for index in 0..<list.capacity {
      guard let entry = SnapshotSlot(bits: list[index].loadRelaxed()).entry, releaseLast(entry) else {
        continue
      }
      if let newest {
        Entries.setNext(at: entry.rear, to: newest.number)
      } else {
        last = entry
      }
      newest = entry
      count += 1
    }
    list.free()
    guard let newest, let last else { return }
    let isTaken = entries.giveBack(newest.number, through: last.number)
    if !isTaken { newest.releaseOwner(count) }
  }

  func reclaim(_ item: UInt64) {
    if item & 1 == 0 {
      let block = Block(bits: item).unsafelyUnwrapped
      let list = block.payload.pointee
      let walker = SnapshotWalker(hot)
      if walker.firstBlock.loadRelaxed() == block.bits { walker.firstBlock.storeRelaxed(0) }
      cell.recycle(block)
      releaseEntries(of: list)
    } else {
      destroy(SnapshotEntry(bits: item & ~1))
    }
  }

  /// Reclaims everything. No other thread may use the cell any more.
  ///
  /// - Parameter room: the memory that the cell was made with, if any.
  func destroy(keeping room: SnapshotRoom? = nil) {
    if retired.loadRelaxed() != 0 { scavenge() }
    releaseEntries(of: cell.currentBlock().payload.pointee)
    cell.destroy(keeping: room?.blocks)
    entries.destroy(keeping: room?.entry)
  }
}
