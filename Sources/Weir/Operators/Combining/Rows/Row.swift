// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Rows
//
// combineLatest, withLatest and zip bring values of different types together into one tuple. A loop over a
// parameter pack costs hundreds of nanoseconds an event, so packs are walked once, when the signals are
// subscribed. Each signal gets the place of its element in the memory of the tuple, and stores its values
// there; the finished tuple is read as a whole.
//
// Invariant: what a tuple's elements occupy are the offsets that the compiler lays them out at: each at the
// next multiple of its alignment. The end of the last one is checked against the size of the tuple.

/// How the values that belong together lie in memory, and what they make.
@usableFromInline
protocol Row<Whole>: Sendable {
  associatedtype Whole
  /// One for each signal.
  var elements: [RowElement] { get }
  /// The distance from one row to the next, in bytes.
  var stride: Int { get }
  var alignment: Int { get }
  /// A copy of a complete row.
  func read(_ row: UnsafeMutableRawPointer) -> Whole
  /// A complete row, moved out of its memory.
  func take(_ row: UnsafeMutableRawPointer) -> Whole
}

/// Where one element of a row lies, and what can be done to it without its type.
@usableFromInline
struct RowElement: Sendable {
  @usableFromInline let offset: Int
  @usableFromInline let end: Int
  /// Not closures that know the type: those would need memory.
  @usableFromInline let type: Any.Type

  /// An element of this type that begins at `start` or, aligned, soon after.
  @inlinable
  init<Element>(_ type: Element.Type, notBefore start: Int) {
    let offset = start.alignedUp(to: MemoryLayout<Element>.alignment)
    self.offset = offset
    end = offset + MemoryLayout<Element>.size
    self.type = type
  }

  /// Moves the element of one row into another one.
  @usableFromInline
  func move(_ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer) {
    func move<Element>(_ type: Element.Type) {
      (to + offset).moveInitializeMemory(
        as: type, from: (from + offset).assumingMemoryBound(to: type), count: 1)
    }
    _openExistential(type, do: move)
  }

  /// Destroys the element of a row.
  @usableFromInline
  func destroy(_ row: UnsafeMutableRawPointer) {
    func destroy<Element>(_ type: Element.Type) {
      (row + offset).assumingMemoryBound(to: type).deinitialize(count: 1)
    }
    _openExistential(type, do: destroy)
  }
}

/// A tuple; a tuple of one element is that element.
@frozen @usableFromInline
struct TupleRow<Whole>: Row {
  @usableFromInline let elements: [RowElement]
  @usableFromInline var stride: Int { max(1, MemoryLayout<Whole>.stride) }
  @usableFromInline var alignment: Int { MemoryLayout<Whole>.alignment }

  @inlinable
  init<each Element>(of types: repeat (each Element).Type) where Whole == (repeat each Element) {
    var elements: [RowElement] = []
    // Few programs combine more.
    elements.reserveCapacity(4)
    for type in repeat each types {
      elements.append(RowElement(type, notBefore: elements.last?.end ?? 0))
    }
    precondition(
      elements.last?.end ?? 0 == MemoryLayout<Whole>.size,
      "weir: the elements of \(Whole.self) do not lie where they should")
    self.elements = elements
  }

  @inlinable @inline(__always)
  func read(_ row: UnsafeMutableRawPointer) -> Whole { row.assumingMemoryBound(to: Whole.self).pointee }
  @inlinable @inline(__always)
  func take(_ row: UnsafeMutableRawPointer) -> Whole { row.assumingMemoryBound(to: Whole.self).move() }
}

/// An array, of as many elements as there are signals.
@frozen @usableFromInline
struct ArrayRow<Element>: Row {
  @usableFromInline let elements: [RowElement]
  @usableFromInline var stride: Int { max(1, elements.count * MemoryLayout<Element>.stride) }
  @usableFromInline var alignment: Int { MemoryLayout<Element>.alignment }

  @inlinable
  init(count: Int) {
    elements = (0..<count).map {
      RowElement(Element.self, notBefore: $0 * MemoryLayout<Element>.stride)
    }
  }

  @inlinable
  func read(_ row: UnsafeMutableRawPointer) -> [Element] {
    Array(UnsafeBufferPointer(start: row.assumingMemoryBound(to: Element.self), count: elements.count))
  }

  @inlinable
  func take(_ row: UnsafeMutableRawPointer) -> [Element] {
    Array(unsafeUninitializedCapacity: elements.count) { buffer, count in
      let first = row.assumingMemoryBound(to: Element.self)
      buffer.baseAddress?.moveInitialize(from: first, count: elements.count)
      count = elements.count
    }
  }
}

extension Int {
  /// The first multiple of a power of two from here on.
  @inlinable
  func alignedUp(to alignment: Int) -> Int { (self + alignment - 1) & ~(alignment - 1) }
}
