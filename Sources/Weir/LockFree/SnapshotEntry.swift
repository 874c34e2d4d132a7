// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Snapshot entry
//
// One member of a SnapshotCell. Entries live in a node pool of their cell, side by side, and their hot part
// (state, and the first three words of the payload) fits half a cache line: a walk mostly reads just that.
//
// `control` is [references: 62 | released: 1 | dead: 1].
//
// Invariants:
//  1. `dead` is set once; the thread that sets it owns the duty to have the payload destroyed.
//  2. The payload is destroyed by that thread, or by the scavenger it handed the entry to, when no walk can
//     be inside it: a walk that starts after `dead` was set skips the entry, so one read of the hazard after
//     setting it decides.
//  3. The entry returns to its pool with the last reference, which also destroys a payload that is still
//     there. There is one reference for each snapshot that lists it, and one for the thread that appended it.
//     New ones are made only when an array is renewed, which holds one; so a thread that finds that it has
//     the only one has it for good.
//  4. An entry retains its owner, to which the pool belongs, from when it is first made until the pool is
//     closed, if it is in the pool then, or until the closed pool refuses it. So a thread that is done with
//     an entry must not touch the pool any more.
//
// Orderings: setting `dead` and then reading the hazard, against publishing a hazard and then reading `dead`,
// is store buffering: all four are sequentially consistent, or see HazardFence.

/// The layout of an entry in memory. Accessed word by word, never as a whole.
@frozen @usableFromInline
struct SnapshotEntryStorage {
  /// With the first three words of the payload: the hot part, half a cache line.
  @usableFromInline var control: UInt64
  @usableFromInline var payload: InlineArray<6, UInt64>
  @usableFromInline var ordinal, link, born, owner: UInt64
}

/// One member of a ``SnapshotCell``.
@frozen @usableFromInline
struct SnapshotEntry: Sendable {
  @usableFromInline static var dead: UInt64 { 1 }
  static var released: UInt64 { 2 }
  @usableFromInline static var reference: UInt64 { 4 }
  @usableFromInline static var payloadWords: Int { 6 }

  @usableFromInline let bits: UInt64

  @inlinable @inline(__always) init(bits: UInt64) { self.bits = bits }

  @inlinable @inline(__always) var base: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: UInt(bits)).unsafelyUnwrapped
  }
  @inlinable @inline(__always) var control: AtomicWord { AtomicWord(at: base) }
  @inlinable @inline(__always) var payload: UnsafeMutableRawPointer { base + 8 }
  /// Its place in the order of subscription. Constant once listed.
  @inlinable @inline(__always) var ordinal: UnsafeMutablePointer<UInt64> {
    (base + 56).assumingMemoryBound(to: UInt64.self)
  }
  @inlinable @inline(__always) var link: AtomicWord { AtomicWord(at: base + 64) }
  /// The sequence of the snapshot in which it was first listed, or a lower one while it is not listed.
  @inlinable @inline(__always) var born: AtomicWord { AtomicWord(at: base + 72) }
  /// The entry's number in the pool, stored as its note.
  @inlinable var number: UInt32 { NodePool<SnapshotEntryStorage>.note(at: base) }
  /// The object that an entry belongs to and retains, or 0; written when the entry is used for the first
  /// time, and constant from then on.
  @inlinable @inline(__always) var owner: UnsafeMutablePointer<UInt64> {
    (base + 80).assumingMemoryBound(to: UInt64.self)
  }

  @inlinable @inline(__always) var isDead: Bool { control.load() & Self.dead != 0 }
  @inlinable @inline(__always) var ifLive: SnapshotEntry? { isDead ? nil : self }

  /// Sets `dead`. True for the one caller that does so first.
  @inlinable
  func die() -> Bool { control.formUnion(Self.dead) & Self.dead == 0 }

  @inlinable
  func retain() { control.addRelaxed(Self.reference) }

  private var ownerAddress: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: UInt(owner.pointee))
  }

  /// Retains the owner while `body` runs, in which the entry may be given back.
  func withOwner(_ body: () -> Void) {
    let address = ownerAddress
    if let address { weir_retain(address, 1) }
    body()
    if let address { weir_release(address, 1) }
  }

  /// Releases the references to the owner, and so to the pool, of `count` entries that their pool refused.
  func releaseOwner(_ count: Int) { if let ownerAddress { weir_release(ownerAddress, UInt32(count)) } }
}
