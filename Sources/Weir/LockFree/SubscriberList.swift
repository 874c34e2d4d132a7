// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// The part of a hot source that its registrations need: the snapshot cell and the block with its words.
///
/// It knows nothing of values, so that subscribing and disposing run the same compiled code for all types.
/// The words that a send touches share one cache line: the hot ones of the cell, and among them those of the
/// delivery turn, whose token is the hazard; but its inbox is in the next line, which it shares with what a
/// send reads of the first subscriber. How long it lives is invariant 5 of SnapshotEntry.
@usableFromInline
final class SubscriberList: @unchecked Sendable {
  // Unchecked: three atomic words; the rest is constant, and what it points to is shared through atomics.
  @exclusivity(unchecked) private var upstreamsWord: UInt64 = 0
  @exclusivity(unchecked) private var completionWord: UInt64 = 0
  @exclusivity(unchecked) private var roomWord: UInt64 = 0

  /// Room for the words of a ``DeliveryTurn``, whatever its items.
  @usableFromInline static var turnWordCount: Int { DeliveryTurn<Void>.wordCount }
  /// The words of the turn end in the middle of the second cache line.
  private static var entryOffset: Int { 96 }
  @usableFromInline static var countOffset: Int { entryOffset + SnapshotRoom.entrySize }
  private static var coldOffset: Int { countOffset + 8 }
  private static var blocksOffset: Int { coldOffset + 8 * SnapshotCell.coldWordCount }
  private static var size: Int { blocksOffset + SnapshotRoom.blocksSize }

  @usableFromInline let cell: SnapshotCell

  @usableFromInline
  init(fence: HazardFence = .ofWalker, destroyPayload: @escaping PayloadDestructor) {
    assert(16 + 8 * Self.turnWordCount <= Self.entryOffset)
    let memory = weir_block_allocate(Self.size)
    cell = SnapshotCell(
      hot: memory.assumingMemoryBound(to: UInt64.self),
      cold: (memory + Self.coldOffset).assumingMemoryBound(to: UInt64.self),
      room: Self.room(in: memory), fence: fence, destroyPayload: destroyPayload)
  }

  private static func room(in memory: UnsafeMutableRawPointer) -> SnapshotRoom {
    SnapshotRoom(entry: memory + entryOffset, blocks: memory + blocksOffset)
  }

  /// Three words for the source.
  var upstreamsPlace: AtomicWord { AtomicWord(property: 0, of: self) }
  @inlinable var completionPlace: AtomicWord { AtomicWord(property: 1, of: self) }
  var roomPlace: AtomicWord { AtomicWord(property: 2, of: self) }

  deinit {
    cell.destroy(keeping: Self.room(in: cell.hot))
    weir_block_free(cell.hot, Self.size)
  }

  /// The words of the turn whose holder walks this list.
  @inlinable var turnWords: UnsafeMutablePointer<UInt64> { cell.hot + 2 }
  /// That turn, for whatever does not depend on the type of its items, as the places of its nodes do.
  @inlinable var turn: DeliveryTurn<Void> { DeliveryTurn(words: turnWords) }
  /// How many of the posted events the holder of that turn has begun to deliver. Only the holder changes it.
  @inlinable var deliveredCount: AtomicWord {
    AtomicWord(at: UnsafeMutableRawPointer(cell.hot) + Self.countOffset)
  }

  /// A new entry for the cell, with two references for the caller: ``SnapshotCell/append(_:as:)`` takes one
  /// of them. The owner of the other must ``discard(_:)`` the entry, once; until then the entry retains the
  /// list.
  @inlinable
  func makeEntry(ordinal: UInt64) -> SnapshotEntry {
    let entry = cell.makeEntry(ordinal: ordinal)
    if entry.owner.pointee == 0 { own(entry) }
    return entry
  }

  /// Entries retain the list from when they are first made, also while they are in their pool: so reusing one
  /// touches no reference count.
  @usableFromInline
  func own(_ entry: SnapshotEntry) {
    entry.owner.pointee = UInt64(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()))
  }

  /// To be called when the source is gone, and there are no new subscribers: entries then retain the list
  /// only as long as they are in use.
  func letGo() {
    let unused = cell.entries.close()
    if unused > 0 { weir_release(Unmanaged.passUnretained(self).toOpaque(), UInt32(unused)) }
  }

  /// Removes a dead subscriber from its list.
  @usableFromInline
  static func discard(_ entry: SnapshotEntry) { cell(of: entry).discard(entry) }

  /// A copy: the list may be deallocated while it is used.
  private static func cell(of entry: SnapshotEntry) -> SnapshotCell {
    let list = UnsafeRawPointer(bitPattern: UInt(entry.owner.pointee)).unsafelyUnwrapped
    return Unmanaged<SubscriberList>.fromOpaque(list)._withUnsafeGuaranteedRef { $0.cell }
  }
}
