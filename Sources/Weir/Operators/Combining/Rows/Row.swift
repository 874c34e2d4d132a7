// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Rows
//
// combineLatest, withLatest and zip combine values of different types in one tuple. A loop over a parameter
// pack costs hundreds of nanoseconds per event, so packs are iterated once, when the signals are subscribed.
// Each signal gets the place of its element in the memory of the tuple, and stores its values there; the
// complete tuple is read as a whole.
//
// Invariant: elements have the offsets at which the compiler lays out those of a tuple: each at the next
// multiple of its alignment. The end of the last one is checked against the size of the tuple.

/// What the values of a row make, which lie in memory as its elements say.
@usableFromInline
protocol Row<Whole>: Sendable {
  associatedtype Whole
  /// The distance from one row to the next, in bytes.
  var stride: Int { get }
  var alignment: Int { get }
  /// What a complete row makes, from copies of its values.
  func read(_ row: UnsafeMutableRawPointer) -> Whole
  /// The same, with the values moved out of the row.
  func take(_ row: UnsafeMutableRawPointer) -> Whole
}

/// Makes a tuple; a tuple of one element is that element.
@frozen @usableFromInline
struct TupleRow<Whole>: Row {
  @usableFromInline var stride: Int { max(1, MemoryLayout<Whole>.stride) }
  @usableFromInline var alignment: Int { MemoryLayout<Whole>.alignment }

  @inlinable
  init() {}

  @inlinable @inline(__always)
  func read(_ row: UnsafeMutableRawPointer) -> Whole { row.assumingMemoryBound(to: Whole.self).pointee }
  @inlinable @inline(__always)
  func take(_ row: UnsafeMutableRawPointer) -> Whole { row.assumingMemoryBound(to: Whole.self).move() }
}

/// Makes an array, with an element for each signal.
@frozen @usableFromInline
struct ArrayRow<Element>: Row {
  @usableFromInline let count: Int
  @usableFromInline var stride: Int { max(1, count * MemoryLayout<Element>.stride) }
  @usableFromInline var alignment: Int { MemoryLayout<Element>.alignment }

  @inlinable
  init(count: Int) { self.count = count }

  @inlinable
  func read(_ row: UnsafeMutableRawPointer) -> [Element] {
    Array(UnsafeBufferPointer(start: row.assumingMemoryBound(to: Element.self), count: count))
  }

  @inlinable
  func take(_ row: UnsafeMutableRawPointer) -> [Element] {
    Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      let first = row.assumingMemoryBound(to: Element.self)
      buffer.baseAddress?.moveInitialize(from: first, count: count)
      initialized = count
    }
  }
}
