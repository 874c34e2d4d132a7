// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

/// One ring of a ``ReplayLog``.
@frozen @usableFromInline
struct ReplaySegment<Element> {
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  /// When each element came, if that matters.
  @usableFromInline let times: UnsafeMutablePointer<Duration>?
  @usableFromInline let size: Int
  /// The number of its first element.
  @usableFromInline let base: UInt64

  @inlinable
  init(size: Int, base: UInt64, isTimed: Bool) {
    slots = Self.allocate(size)
    times = isTimed ? ReplaySegment<Duration>.allocate(size) : nil
    self.size = size
    self.base = base
  }

  @inlinable
  static func allocate(_ size: Int) -> UnsafeMutablePointer<Element> {
    weir_block_allocate(max(1, size * MemoryLayout<Element>.stride)).bindMemory(
      to: Element.self, capacity: size)
  }

  @usableFromInline
  func free() {
    weir_block_free(slots, max(1, size * MemoryLayout<Element>.stride))
    if let times { weir_block_free(times, size * MemoryLayout<Duration>.stride) }
  }

  @inlinable func place(of number: UInt64) -> Int { Int((number &- base) % UInt64(size)) }
}

/// Where the next element goes, and where the lowest stands. For the appender only.
@frozen @usableFromInline
struct ReplayEnds<Element> {
  /// The slot of the next element; behind the last one when the ring has been gone round.
  @usableFromInline var next: UnsafeMutablePointer<Element>
  /// The count from which on an append has more to do than to write into `next`. Always, if elements get too old.
  @usableFromInline var full: UInt64 = 0
  @usableFromInline var newest: PinnedBlock<ReplaySegment<Element>>
  @usableFromInline var segment: ReplaySegment<Element>
  /// The slot of the lowest element, in the current segment.
  @usableFromInline var lowest = 0

  @inlinable
  init(_ newest: PinnedBlock<ReplaySegment<Element>>) {
    self.newest = newest
    segment = newest.payload.pointee
    next = segment.slots
  }
}
