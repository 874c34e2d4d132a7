// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Snapshot entry
//
// One member of a SnapshotCell. Entries live in a node pool of their cell. What a walk reads is an entry's
// front, half a cache line: state, and three words of the payload. Fronts lie side by side, in the order in
// which entries were first made. The rest of an entry, its rear, lies elsewhere in the same chunk of the
// pool: a rear is as long as two fronts, so that of node n is n fronts behind its front (chunk k has 2^k
// nodes, and the first of them is node 2^k).
//
// `state` is [references: 30 | kept: 1 | released: 1], and `mark` beside it is [dead: 1 | number of the
// node: 31]: they are two words, so that a thread can set `dead` by a store while others count references.
//
// Invariants:
//  1. `dead` is set in `mark`, in which nothing else changes. The thread that sets it by ``die()``, first,
//     owns the duty to have the payload destroyed. Several threads may set it by ``kill()``: then that of
//     them owns the duty which then leaves the registration last (Registration).
//  2. The payload is destroyed by that thread, or by the scavenger it handed the entry to, when no walk can
//     be inside it: a walk that starts after `dead` was set skips the entry, so one read of the hazard after
//     setting it decides.
//  3. The entry returns to its pool with the last reference, which also destroys a payload that is still
//     there. There is one reference for each snapshot that lists it, and one for the thread that appended it.
//     New ones are made only when an array is renewed, which holds one; so a thread that finds that it has
//     the only one has it for good.
//  4. `kept` is set by the thread that could not list the entry, before it uses the payload. If it then
//     finds `dead`, it does not use it. Whoever has the duty by 1 looks for `kept` after it has set `dead`,
//     and if it finds that leaves the payload to the last reference. So at least one of them finds what the
//     other has set; if both do, the last reference destroys a payload that nobody uses.
//  5. An entry retains its owner, to which the pool belongs, from when it is first made until the pool is
//     closed, if it is in the pool then, or until the closed pool refuses it. So a thread that is done with
//     an entry must not touch the pool any more.
//
// Orderings: setting `dead` and then reading the hazard, against publishing a hazard and then reading `dead`,
// is store buffering: all four are sequentially consistent, or see HazardFence. So is 4. The store of
// ``kill()`` is sequentially consistent, too, but on x86-64 takes no locked instruction for it: the thread
// goes on with the read-modify-write by which it leaves the registration, and reads the hazard and `kept`
// after that. So the store is in memory before anybody gives the entry back, too.

/// The layout of an entry's front in memory. Accessed word by word, never as a whole.
@frozen @usableFromInline
struct SnapshotFront {
  @usableFromInline var state, mark: UInt32
  @usableFromInline var payload: InlineArray<3, UInt64>
}

/// The layout of an entry's rear: with the word of its pool, a cache line.
@frozen @usableFromInline
struct SnapshotRear {
  @usableFromInline var payload: InlineArray<3, UInt64>
  @usableFromInline var ordinal, link, born, owner: UInt64
}

/// One member of a ``SnapshotCell``.
@frozen @usableFromInline
struct SnapshotEntry: Sendable {
  @usableFromInline static var dead: UInt32 { 1 << 31 }
  static var released: UInt32 { 1 }
  static var kept: UInt32 { 2 }
  @usableFromInline static var reference: UInt32 { 4 }
  @usableFromInline static var ordinalOffset: Int { 24 }
  @usableFromInline static var bornOffset: Int { 40 }

  @usableFromInline let bits: UInt64

  @inlinable @inline(__always) init(bits: UInt64) { self.bits = bits }
  @inlinable @inline(__always) init(at front: UnsafeMutableRawPointer) {
    self.init(bits: UInt64(UInt(bitPattern: front)))
  }

  @inlinable @inline(__always) var base: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: UInt(bits)).unsafelyUnwrapped
  }
  @inlinable @inline(__always) var state: UnsafeMutablePointer<UInt32> {
    base.assumingMemoryBound(to: UInt32.self)
  }
  @inlinable @inline(__always) var mark: UnsafeMutablePointer<UInt32> { state + 1 }
  /// Three words of payload for the walk.
  @inlinable @inline(__always) var payload: UnsafeMutableRawPointer { base + 8 }

  /// The entry's number in the pool. Constant from when the entry is first made.
  @inlinable @inline(__always) var number: UInt32 {
    weir_load_relaxed_u32(mark) & ~Self.dead
  }
  /// The entry's node in the pool. The other three words of payload come first in it.
  @inlinable @inline(__always) var rear: UnsafeMutableRawPointer { rear(ofNode: number) }
  /// What the owner of the list compares it by with what is sent. Constant once listed.
  @inlinable @inline(__always) var ordinal: UnsafeMutablePointer<UInt64> {
    (rear + Self.ordinalOffset).assumingMemoryBound(to: UInt64.self)
  }
  @inlinable @inline(__always) var link: AtomicWord { AtomicWord(at: rear + 32) }
  /// The sequence of the snapshot in which it was first listed, or a lower one while it is not listed.
  @inlinable @inline(__always) var born: AtomicWord { AtomicWord(at: rear + Self.bornOffset) }
  /// The object that an entry belongs to and retains, or 0; written when the entry is used for the first
  /// time, and constant from then on.
  @inlinable @inline(__always) var owner: UnsafeMutablePointer<UInt64> {
    (rear + 48).assumingMemoryBound(to: UInt64.self)
  }

  @inlinable @inline(__always)
  func rear(ofNode number: UInt32) -> UnsafeMutableRawPointer {
    base + Int(number) &* MemoryLayout<SnapshotFront>.size
  }

  /// Makes it a live entry with two references, which is not listed.
  @inlinable @inline(__always)
  func begin(asNode number: UInt32, ordinal: UInt64) {
    weir_store_relaxed_u32(state, 2 * Self.reference)
    weir_store_relaxed_u32(mark, number)
    let rear = rear(ofNode: number)
    rear.storeBytes(of: ordinal, toByteOffset: Self.ordinalOffset, as: UInt64.self)
    AtomicWord(at: rear + Self.bornOffset).storeRelaxed(0)
  }

  @inlinable @inline(__always) var isDead: Bool { weir_load_seq_cst_u32(mark) & Self.dead != 0 }
  @inlinable @inline(__always) var ifLive: SnapshotEntry? { isDead ? nil : self }

  var isKept: Bool { weir_load_seq_cst_u32(state) & Self.kept != 0 }

  /// Sets `dead`. True for the one caller that does so first.
  @inlinable
  func die() -> Bool { weir_or_seq_cst_u32(mark, Self.dead) & Self.dead == 0 }

  /// Sets `dead`, for a user of a registration, which leaves that at once.
  func kill() { weir_store_fenced_u32(mark, number | Self.dead) }

  /// For the thread that could not list it, and still has the reference for that: keeps the payload until it
  /// gives up the reference. False if the entry is dead: then the payload may be gone.
  @usableFromInline
  func keepPayload() -> Bool {
    weir_add_seq_cst_u32(state, Self.kept)
    return !isDead
  }

  @inlinable
  func retain() { weir_add_seq_cst_u32(state, Self.reference) }

  /// Whether there is just one reference, given the content of `state`.
  @inlinable
  static func isLastReference(_ state: UInt32) -> Bool { state < 2 * reference }

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
