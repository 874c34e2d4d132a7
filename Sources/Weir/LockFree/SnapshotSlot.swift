// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The kind of an entry, whose meaning is up to the owner of the list. A walk learns the kind from the slot,
/// before it reads the entry.
@frozen @usableFromInline
enum SnapshotKind: Sendable { case plain, marked }

/// The content of a slot: nothing yet, nothing for good, or an entry with its kind.
///
/// Read as a signed number a plain entry is greater than all other contents, as addresses are positive, and a
/// marked one is negative. So a walk recognises the usual content by one comparison.
@frozen @usableFromInline
struct SnapshotSlot {
  @inlinable @inline(__always) static var empty: UInt64 { 0 }
  /// For the ticket holder, which has missed the list; renewing the array skips it.
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
