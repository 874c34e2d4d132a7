// Part of Weir. SPDX-License-Identifier: Apache-2.0
// # Snapshot entry
//
// One member of a SnapshotCell. Entries live in a node pool of their cell, side by side, and their hot part (state, place
// in the order, first closure of the payload) fits half a cache line: that is what a walk costs.
//
// `control` is [references: 62 | released: 1 | dead: 1].
//
// Invariants:
//  1. `dead` is set once; who sets it owns the duty to have the payload released.
//  2. The payload is destroyed by that owner, or by the scavenger it handed the entry to, when no walk can be inside it:
//     a walk that starts after `dead` was set skips the entry, so one look at the hazard after setting it decides.
//  3. The entry returns to its pool with the last reference: one for each snapshot that lists it, one for who appended it.
//
// Orderings: setting `dead` and looking at the hazard, against publishing a hazard and looking at `dead`, is store
// buffering: all four are sequentially consistent.

/// What an entry looks like in memory. Accessed word by word, never as a whole.
@frozen @usableFromInline
struct SnapshotEntryStorage {
  /// With the first two words of the payload: the hot part, half a cache line.
  @usableFromInline var control, ordinal: UInt64
  @usableFromInline var payload: (UInt64, UInt64, UInt64, UInt64, UInt64)
  @usableFromInline var link, born, number, owner: UInt64
}

/// One member of a ``SnapshotCell``.
@frozen @usableFromInline
struct SnapshotEntry: Sendable {
  @usableFromInline static var dead: UInt64 { 1 }
  @usableFromInline static var released: UInt64 { 2 }
  @usableFromInline static var reference: UInt64 { 4 }
  @usableFromInline static var payloadSize: Int { 40 }

  @usableFromInline let bits: UInt64

  @inlinable @inline(__always) init(bits: UInt64) { self.bits = bits }

  @inlinable @inline(__always) var base: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: UInt(bits)).unsafelyUnwrapped
  }
  @inlinable @inline(__always) var control: AtomicWord { AtomicWord(at: base) }
  /// Its place in the order of subscription. Constant once listed.
  @inlinable @inline(__always) var ordinal: UnsafeMutablePointer<UInt64> {
    (base + 8).assumingMemoryBound(to: UInt64.self)
  }
  @inlinable @inline(__always) var payload: UnsafeMutableRawPointer { base + 16 }
  @inlinable @inline(__always) var link: AtomicWord { AtomicWord(at: base + 56) }
  /// The sequence of the snapshot in which it was first listed, or a lower one while it is not listed.
  @inlinable @inline(__always) var born: AtomicWord { AtomicWord(at: base + 64) }
  /// The entry's number in the pool.
  @inlinable @inline(__always) var number: UnsafeMutablePointer<UInt64> {
    (base + 72).assumingMemoryBound(to: UInt64.self)
  }
  /// For who appended it: where it belongs, if that must be known from the entry alone.
  @inlinable @inline(__always) var owner: UnsafeMutablePointer<UInt64> {
    (base + 80).assumingMemoryBound(to: UInt64.self)
  }

  @inlinable @inline(__always) var isDead: Bool { control.load() & Self.dead != 0 }

  /// True for the one caller that ends the entry's life.
  @inlinable
  func die() -> Bool { control.formUnion(Self.dead) & Self.dead == 0 }

  @inlinable
  func retain() { control.addRelaxed(Self.reference) }
}
