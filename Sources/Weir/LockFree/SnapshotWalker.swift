// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The walking side of a SnapshotCell, whose invariants stand at the head of SnapshotCell.swift. It is apart because a send
// needs just this, from one cache line: the current block, the retired list, and the hazard.

/// Walks the current snapshot of a ``SnapshotCell``. For the holder of the hazard only.
@frozen @usableFromInline
struct SnapshotWalker {
  /// What stands in a slot that will stay empty.
  @usableFromInline static var sealed: UInt64 { 1 }

  @usableFromInline let hot: UnsafeMutablePointer<UInt64>

  @inlinable @inline(__always)
  init(_ hot: UnsafeMutablePointer<UInt64>) { self.hot = hot }

  @inlinable @inline(__always) var retired: AtomicWord { AtomicWord(hot + 1) }
  /// 0, or the bits of the block being walked with the lowest bit set; just the bit while a walker has none yet.
  @inlinable @inline(__always) var hazard: AtomicWord { AtomicWord(hot + 2) }

  @inlinable @inline(__always)
  var current: PinnedBlock<SnapshotSlots> { PinnedBlock(bits: AtomicWord(hot).load()).unsafelyUnwrapped }

  /// The current block, given one that was current before it was published in the hazard.
  @inlinable @inline(__always)
  func validated(_ published: PinnedBlock<SnapshotSlots>) -> PinnedBlock<SnapshotSlots> {
    // Answering the argument keeps what follows independent of this load.
    current == published ? published : protectCurrent()
  }

  /// Moves the hazard to the current block, if it is not there.
  @inlinable
  func protectCurrent() -> PinnedBlock<SnapshotSlots> {
    var block = current
    if hazard.loadRelaxed() == block.bits | 1 { return block }
    while true {
      protect(block)
      let now = current
      if now == block { return block }
      block = now
    }
  }

  /// Moves the hazard to a block that is pinned, or is validated afterwards.
  @inlinable
  func protect(_ block: PinnedBlock<SnapshotSlots>) { _ = hazard.exchange(block.bits | 1) }

  /// Calls `visit` with the payload of every live entry of a protected block for which `isMeant` is true.
  @inlinable @inline(__always)
  func walk(
    _ block: PinnedBlock<SnapshotSlots>, where isMeant: (SnapshotEntry) -> Bool = { _ in true },
    _ visit: (UnsafeMutableRawPointer) -> Void
  ) {
    let list = block.payload.pointee
    guard let slots = list.slots else { return }
    var slot = slots
    let end = slots + min(Int(truncatingIfNeeded: block.control.loadAcquire() >> 32), list.capacity)
    while slot != end {
      let bits = AtomicWord(slot).loadAcquire()
      slot += 1
      if bits <= Self.sealed { continue }
      let entry = SnapshotEntry(bits: bits)
      if !entry.isDead, isMeant(entry) { visit(entry.payload) }
    }
  }

  /// Whether something waits for the hazard to go: to be asked after giving it up, and between several walks.
  @inlinable @inline(__always) var hasRetired: Bool { retired.load() != 0 }
}
