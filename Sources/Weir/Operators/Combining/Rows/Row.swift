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

/// The memory layout of values that belong together, and what they make.
@usableFromInline
protocol Row<Whole>: Sendable {
  associatedtype Whole
  /// The elements, one for each signal.
  var elements: [RowElement] { get }
  /// The distance from one row to the next, in bytes.
  var stride: Int { get }
  var alignment: Int { get }
  /// What a complete row makes, from copies of its values.
  func read(_ row: UnsafeMutableRawPointer) -> Whole
  /// The same, with the values moved out of the row.
  func take(_ row: UnsafeMutableRawPointer) -> Whole
}

/// The place of one element in a row, with operations for code that does not know its type.
@usableFromInline
struct RowElement: Sendable {
  @usableFromInline let offset: Int
  @usableFromInline let end: Int
  /// Instead of closures that know the type: those would need an allocation.
  @usableFromInline let type: Any.Type

  /// An element of this type at the first aligned offset from `start` on.
  @inlinable
  init<Element>(_ type: Element.Type, notBefore start: Int) {
    let offset = start.alignedUp(to: MemoryLayout<Element>.alignment)
    self.offset = offset
    end = offset + MemoryLayout<Element>.size
    self.type = type
  }

  /// Moves this element of one row into another row.
  @usableFromInline
  func move(_ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer) {
    func move<Element>(_ type: Element.Type) {
      (to + offset).moveInitializeMemory(
        as: type, from: (from + offset).assumingMemoryBound(to: type), count: 1)
    }
    _openExistential(type, do: move)
  }

  /// Destroys this element of a row.
  @usableFromInline
  func destroy(_ row: UnsafeMutableRawPointer) {
    func destroy<Element>(_ type: Element.Type) {
      (row + offset).assumingMemoryBound(to: type).deinitialize(count: 1)
    }
    _openExistential(type, do: destroy)
  }
}

/// Makes a tuple; a tuple of one element is that element.
@frozen @usableFromInline
struct TupleRow<Whole>: Row {
  @usableFromInline let elements: [RowElement]
  @usableFromInline var stride: Int { max(1, MemoryLayout<Whole>.stride) }
  @usableFromInline var alignment: Int { MemoryLayout<Whole>.alignment }

  @inlinable
  init<each Element>(of types: repeat (each Element).Type) where Whole == (repeat each Element) {
    var elements: [RowElement] = []
    // Few programs combine more signals.
    elements.reserveCapacity(4)
    for type in repeat each types {
      elements.append(RowElement(type, notBefore: elements.last?.end ?? 0))
    }
    precondition(
      elements.last?.end ?? 0 == MemoryLayout<Whole>.size,
      "weir: the elements of \(Whole.self) have an unexpected memory layout")
    self.elements = elements
  }

  @inlinable @inline(__always)
  func read(_ row: UnsafeMutableRawPointer) -> Whole { row.assumingMemoryBound(to: Whole.self).pointee }
  @inlinable @inline(__always)
  func take(_ row: UnsafeMutableRawPointer) -> Whole { row.assumingMemoryBound(to: Whole.self).move() }
}

/// Makes an array, with an element for each signal.
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
  /// This number, rounded up to a multiple of a power of two.
  @inlinable
  func alignedUp(to alignment: Int) -> Int { (self + alignment - 1) & ~(alignment - 1) }
}
