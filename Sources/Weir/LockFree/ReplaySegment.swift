// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// One ring of a ``ReplayLog``. Only the log knows the type of its elements: so code that handles rings is
/// compiled once, for all types.
@frozen @usableFromInline
struct ReplaySegment {
  @usableFromInline let memory: UnsafeMutableRawPointer
  /// When each element was appended, if there is an age limit.
  @usableFromInline let times: UnsafeMutablePointer<Duration>?
  @usableFromInline let size: Int
  /// The number of its first element.
  @usableFromInline let base: UInt64

  /// - Parameter age: how old its elements may get; nil if there is no limit.
  @usableFromInline
  init(size: Int, stride: Int, base: UInt64, age: UnsafeMutablePointer<ReplayCapacity.Age>?) {
    memory = weir_block_allocate(max(1, size * stride))
    let times = age != nil ? weir_block_allocate(size * MemoryLayout<Duration>.stride) : nil
    self.times = times?.assumingMemoryBound(to: Duration.self)
    self.size = size
    self.base = base
  }

  @usableFromInline
  func free(stride: Int) {
    weir_block_free(memory, max(1, size * stride))
    if let times { weir_block_free(times, size * MemoryLayout<Duration>.stride) }
  }

  @inlinable @inline(__always)
  func slots<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element> {
    memory.assumingMemoryBound(to: type)
  }

  @inlinable func place(of number: UInt64) -> Int { Int((number &- base) % UInt64(size)) }
}

/// The slots of the next and of the lowest element. For the appender only.
@frozen @usableFromInline
struct ReplayEnds<Element> {
  /// The slot of the next element; behind the last slot when the end of the ring is reached.
  @usableFromInline var next: UnsafeMutablePointer<Element>
  /// The count from which on an append has more to do than to write into `next`: 0 if there is an age limit.
  @usableFromInline var full: UInt64 = 0
  @usableFromInline var newest: PinnedBlock<ReplaySegment>
  @usableFromInline var segment: ReplaySegment
  /// The slot of the lowest element, in the current segment.
  @usableFromInline var lowest = 0

  @inlinable
  init(_ newest: PinnedBlock<ReplaySegment>) {
    self.newest = newest
    segment = newest.payload.pointee
    next = segment.slots(of: Element.self)
  }
}
