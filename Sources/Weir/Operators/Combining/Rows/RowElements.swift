// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The elements of a row, in order. The first two are stored in place, without an array: most rows are pairs.
@frozen @usableFromInline
struct RowElements: Sendable {
  @usableFromInline var count = 0
  /// Where the last one ends, in bytes from the start of the row.
  @usableFromInline var end = 0
  @usableFromInline var first = RowElement(Void.self, at: 0)
  @usableFromInline var second = RowElement(Void.self, at: 0)
  @usableFromInline var others: [RowElement] = []

  @inlinable
  init<First, Second>(_ first: First.Type, _ second: Second.Type) {
    append(first)
    append(second)
  }

  /// As many elements of one type: those of an array.
  @inlinable
  init<Element>(count: Int, of type: Element.Type) {
    if count > 2 { others.reserveCapacity(count - 2) }
    for _ in 0..<count { append(type) }
  }

  /// Adds an element at the first offset that is aligned for its type.
  @inlinable @inline(__always)
  mutating func append<Element>(_ type: Element.Type) {
    let element = RowElement(type, at: end.alignedUp(to: MemoryLayout<Element>.alignment))
    switch count {
    case 0: first = element
    case 1: second = element
    default: others.append(element)
    }
    count += 1
    end = element.offset + MemoryLayout<Element>.size
  }

  /// Traps if these are not the elements of a tuple of that type: see the invariant in Row.swift.
  @inlinable
  func check<Whole>(against type: Whole.Type) {
    require(
      end == MemoryLayout<Whole>.size, "weir: the elements of \(type) have an unexpected memory layout")
  }

  @inlinable
  subscript(index: Int) -> RowElement {
    switch index {
    case 0: first
    case 1: second
    default: others[index - 2]
    }
  }
}

/// The place of one element in a row, with operations for code that does not know its type.
@frozen @usableFromInline
struct RowElement: Sendable {
  @usableFromInline let offset: Int
  /// Instead of closures that know the type: those would need an allocation.
  @usableFromInline let type: Any.Type

  @inlinable
  init<Element>(_ type: Element.Type, at offset: Int) {
    self.offset = offset
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
