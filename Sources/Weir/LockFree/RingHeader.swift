// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Ring header
//
// The parts of a HandOffRing's memory that do not depend on the type of its values. The protocol is at the
// head of HandOffRing.swift; what it asks of a header:
//
// Invariants:
//  1. The capacity and the address of the slots are written before another thread can reach the header, and
//     never again.
//  2. `head` is [in use: 32 | claimed: 32], and changes by compare-exchange. At most 2³¹ values are in use,
//     so the largest number is free for the mark of a replaced ring, which is final. (A compare-exchange
//     that is stalled would be deceived if just 2³² values were dropped meanwhile.)
//  3. `link` is 0, or the address of the next header: it is set once. Who has followed it frees this one.
//
// Orderings: the first store to `head` is relaxed, since the header is not shared yet; the exchange of the
// `link` before it publishes that, the constants, and the slots.

/// What both sides use of one ring: a cache line for the head, and one for the rest, which is written once.
@frozen @usableFromInline
struct RingHeader: @unchecked Sendable {  // atomic words, and constants
  @inlinable static var byteCount: Int { 128 }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>

  @inlinable
  init<Value>(capacity: UInt64, slots: UnsafeMutablePointer<Value>, first: UInt32) {
    words = weir_block_allocate(Self.byteCount).assumingMemoryBound(to: UInt64.self)
    words[9] = capacity
    words[10] = UInt64(UInt(bitPattern: slots))
    head.storeRelaxed(RingHead(claimed: first, inUse: 0).bits)
  }

  /// The header at this address, which is not 0.
  @inlinable
  init(bits: UInt64) { words = UnsafeMutablePointer(bitPattern: UInt(bits)).unsafelyUnwrapped }

  @inlinable var bits: UInt64 { UInt64(UInt(bitPattern: words)) }
  @inlinable @inline(__always) var head: AtomicWord { AtomicWord(words) }
  @inlinable @inline(__always) var link: AtomicWord { AtomicWord(words + 8) }
  @inlinable var capacity: UInt64 { words[9] }

  @inlinable
  func slots<Value>() -> UnsafeMutablePointer<Value> {
    UnsafeMutablePointer(bitPattern: UInt(words[10])).unsafelyUnwrapped
  }

  @inlinable
  func free<Value>(_ type: Value.Type) {
    (slots() as UnsafeMutablePointer<Value>).deallocate()
    weir_block_free(words, Self.byteCount)
  }
}

/// What is the same for each ``HandOffRing``, whatever its values: for code that is compiled for all types at
/// once, and would ask the runtime for the type of the ring.
@frozen @usableFromInline
enum HandOff {
  @inlinable static var wordCount: Int { 24 }
  @inlinable static var closed: UInt64 { 1 << 63 }
}

/// How far the values of a ring are claimed, and how many claimed ones may still be in their slots.
@frozen @usableFromInline
struct RingHead {
  @usableFromInline let claimed: UInt32
  @usableFromInline let inUse: UInt32

  @inlinable @inline(__always)
  init(claimed: UInt32, inUse: UInt32) {
    self.claimed = claimed
    self.inUse = inUse
  }

  @inlinable @inline(__always)
  init(_ bits: UInt64) {
    self.init(claimed: UInt32(truncatingIfNeeded: bits), inUse: UInt32(truncatingIfNeeded: bits >> 32))
  }

  /// The mark of a ring whose values were moved to another.
  @inlinable static var replaced: RingHead { RingHead(claimed: 0, inUse: .max) }
  @inlinable @inline(__always) var isReplaced: Bool { inUse == .max }
  @inlinable @inline(__always) var bits: UInt64 { UInt64(inUse) << 32 | UInt64(claimed) }

  /// The head after the producer has claimed the oldest value. Its slot is free at once, unless slots before
  /// it are in use.
  @inlinable
  func dropping() -> RingHead { RingHead(claimed: claimed &+ 1, inUse: inUse == 0 ? 0 : inUse &+ 1) }
}

extension UInt64 {
  /// The smallest power of two that is not less, for numbers up to 2⁶³.
  @inlinable var roundedUpToPowerOfTwo: UInt64 { self < 2 ? 1 : 1 << (64 - (self - 1).leadingZeroBitCount) }
}
