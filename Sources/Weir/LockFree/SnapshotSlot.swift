// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An entry is of one of two kinds; what they mean is up to the owner of the list. A walk learns the kind
/// from the slot, before it looks at the entry.
@frozen @usableFromInline
enum SnapshotKind: Sendable { case plain, marked }

/// What stands in a slot of a list: nothing yet, nothing for good, or an entry, with its kind.
///
/// Read as a signed number a plain entry is greater than all others, as addresses are positive, and a marked
/// one is negative. So a walk knows by one comparison that it has what it mostly has.
@frozen @usableFromInline
struct SnapshotSlot {
  @usableFromInline static var empty: UInt64 { 0 }
  /// For who has missed the list; whoever lists its entries anew passes over it.
  @usableFromInline static var sealed: UInt64 { 1 }
  @usableFromInline static var mark: UInt64 { 1 << 63 }

  @usableFromInline let bits: UInt64

  @inlinable @inline(__always) init(bits: UInt64) { self.bits = bits }

  @inlinable @inline(__always)
  init(_ entry: SnapshotEntry, _ kind: SnapshotKind) {
    switch kind {
    case .plain: bits = entry.bits
    case .marked: bits = entry.bits | Self.mark
    }
  }

  /// The entry, of whatever kind.
  @inlinable @inline(__always) var entry: SnapshotEntry? {
    let address = bits & ~Self.mark
    return address > Self.sealed ? SnapshotEntry(bits: address) : nil
  }
  /// The entry, if it is plain and not dead.
  @inlinable @inline(__always) var livePlainEntry: SnapshotEntry? {
    Int64(bitPattern: bits) > Int64(Self.sealed) ? SnapshotEntry(bits: bits).ifLive : nil
  }
  /// The entry, if it is marked and not dead.
  @inlinable @inline(__always) var liveMarkedEntry: SnapshotEntry? {
    Int64(bitPattern: bits) < 0 ? SnapshotEntry(bits: bits & ~Self.mark).ifLive : nil
  }
}
