// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The number of a node, and how often its word was changed: [tag: 32 | number: 32].
///
/// Against ABA: the compare-exchange of a thread that read such a word and then stalled fails if the word was
/// changed meanwhile, even if it names the same node again. It would take 2^32 changes within one stall to
/// defeat it.
@frozen @usableFromInline
struct TaggedIndex {
  @usableFromInline let bits: UInt64

  @inlinable @inline(__always) init(_ bits: UInt64) { self.bits = bits }

  /// The node; 0 if there is none.
  @inlinable @inline(__always) var number: UInt32 { UInt32(truncatingIfNeeded: bits) }

  /// How often a node was put there, if only that moves it.
  @inlinable @inline(__always) var tag: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }

  /// The index that replaces it to name another node.
  @inlinable @inline(__always)
  func moved(to number: UInt32) -> TaggedIndex {
    TaggedIndex((bits &+ (1 << 32)) & ~0xFFFF_FFFF | UInt64(number))
  }
}
