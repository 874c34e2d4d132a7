// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Snapshot entry
//
// One member of a SnapshotCell: [control | link | ordinal | born | Payload], in a block of its own, so that a walk
// touches one cache line for the state and the closure it calls.
//
// `control` is [references: 62 | released: 1 | dead: 1].
//
// Invariants:
//  1. `dead` is set once; who sets it owns the duty to have the payload released.
//  2. The payload is destroyed by that owner, or by the scavenger it handed the entry to, when no walk can be inside it:
//     a walk that starts after `dead` was set skips the entry, so one look at the hazard after setting it decides.
//  3. The block is freed with the last reference: one for each snapshot that lists it, one for its registration.
//
// Orderings: setting `dead` and looking at the hazard, against publishing a hazard and looking at `dead`, is store
// buffering: all four are sequentially consistent.

/// One member of a ``SnapshotCell``.
@frozen @usableFromInline
struct SnapshotEntry<Payload: ~Copyable> {
  @usableFromInline static var dead: UInt64 { 1 }
  @usableFromInline static var released: UInt64 { 2 }
  @usableFromInline static var reference: UInt64 { 4 }

  @usableFromInline let base: UnsafeMutableRawPointer

  @inlinable @inline(__always) init(_ base: UnsafeMutableRawPointer) { self.base = base }
  @inlinable @inline(__always) init(bits: UInt64) {
    base = UnsafeMutableRawPointer(bitPattern: UInt(bits)).unsafelyUnwrapped
  }

  /// A new entry that has one reference, the caller's.
  @inlinable
  init(_ payload: consuming Payload, ordinal: UInt64) {
    base = weir_block_allocate(Self.size)
    control.storeRelaxed(Self.reference)
    self.ordinal.pointee = ordinal
    self.payload.initialize(to: payload)
  }

  @inlinable static var size: Int { 32 + MemoryLayout<Payload>.size }
  @inlinable @inline(__always) var bits: UInt64 { UInt64(UInt(bitPattern: base)) }
  @inlinable @inline(__always) var control: AtomicWord { AtomicWord(at: base) }
  @inlinable @inline(__always) var link: AtomicWord { AtomicWord(at: base + 8) }
  /// Its place in the order of subscription. Constant once listed.
  @inlinable @inline(__always) var ordinal: UnsafeMutablePointer<UInt64> {
    (base + 16).assumingMemoryBound(to: UInt64.self)
  }
  /// The sequence of the snapshot in which it was first listed. Constant once listed.
  @inlinable @inline(__always) var born: UnsafeMutablePointer<UInt64> {
    (base + 24).assumingMemoryBound(to: UInt64.self)
  }
  @inlinable @inline(__always) var payload: UnsafeMutablePointer<Payload> {
    (base + 32).assumingMemoryBound(to: Payload.self)
  }

  @inlinable @inline(__always) var isDead: Bool { control.load() & Self.dead != 0 }

  /// True for the one caller that ends the entry's life.
  @inlinable
  func die() -> Bool { control.formUnion(Self.dead) & Self.dead == 0 }

  @inlinable
  func retain() { control.addRelaxed(Self.reference) }

  /// Destroys the payload; only the owner of invariant 2 may.
  @inlinable
  func releasePayload() {
    payload.deinitialize(count: 1)
    control.formUnion(Self.released)
  }

  @inlinable
  func release() {
    let before = control.subtract(Self.reference)
    guard before < 2 * Self.reference else { return }
    if before & Self.released == 0 { payload.deinitialize(count: 1) }
    weir_block_free(base, Self.size)
  }
}
