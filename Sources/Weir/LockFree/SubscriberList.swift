// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// The part of a hot source that its registrations need: the snapshot cell and the block with its words.
///
/// It knows nothing of values, so that subscribing and disposing run the same compiled code for all types. The words that
/// a send touches share one cache line: the current snapshot, what waits for reclamation, and the delivery turn, whose
/// token is the hazard.
@usableFromInline
final class SubscriberList: @unchecked Sendable {  // constant; what it points to is shared through atomics
  /// Room for the words of a ``DeliveryTurn``, whatever its items.
  @usableFromInline static let turnWordCount = DeliveryTurn<Void>.wordCount
  private static let wordCount = 2 + turnWordCount + SnapshotCell.coldWordCount

  @usableFromInline let cell: SnapshotCell

  @usableFromInline
  init(fence: HazardFence = .ofWalker, destroyPayload: @escaping PayloadDestructor) {
    let words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    cell = SnapshotCell(
      hot: words, cold: words + 2 + Self.turnWordCount, fence: fence, destroyPayload: destroyPayload)
  }

  deinit {
    cell.destroy()
    weir_block_free(cell.hot, 8 * Self.wordCount)
  }

  /// Where the turn goes that walks this list.
  @usableFromInline var turnWords: UnsafeMutablePointer<UInt64> { cell.hot + 2 }

  /// Has an entry of this list, of which the caller holds a reference, keep the list. It is the duty of who has that reference to
  /// ``discard(_:)`` or ``abandon(_:)`` the entry, once.
  @usableFromInline
  func bind(_ entry: SnapshotEntry) {
    entry.owner.pointee = UInt64(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()))
  }

  /// Takes a subscriber that is dead out of its list.
  static func discard(_ entry: SnapshotEntry) {
    let list = owner(of: entry)
    list._withUnsafeGuaranteedRef { $0.cell.discard(entry) }
    list.release()
  }

  /// Leaves a subscriber where it is.
  static func abandon(_ entry: SnapshotEntry) {
    let list = owner(of: entry)
    list._withUnsafeGuaranteedRef { $0.cell.release(entry) }
    list.release()
  }

  private static func owner(of entry: SnapshotEntry) -> Unmanaged<SubscriberList> {
    .fromOpaque(UnsafeRawPointer(bitPattern: UInt(entry.owner.pointee)).unsafelyUnwrapped)
  }
}
