// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A first-in-first-out queue for one thread at a time, in a ring buffer that doubles when it is full: from 4
/// elements on, so that its size is a power of two. Appending and popping are O(1) amortised.
@frozen @usableFromInline
struct FIFO<Element> {
  @usableFromInline var ring: [Element?] = []
  @usableFromInline var head = 0
  @usableFromInline var count = 0

  @inlinable init() {}

  @inlinable var isEmpty: Bool { count == 0 }

  @inlinable var first: Element? { isEmpty ? nil : ring[head] }

  /// The element `distance` places after the first, to be changed in place; there must be one.
  @inlinable
  subscript(distance: Int) -> Element? {
    get { ring[place(distance)] }
    _modify { yield &ring[place(distance)] }
  }

  @inlinable
  mutating func append(_ element: Element) {
    if count == ring.count {
      var larger: [Element?] = []
      larger.reserveCapacity(max(4, 2 * count))
      for distance in 0..<count { larger.append(ring[place(distance)]) }
      larger += repeatElement(nil, count: max(4, count))
      ring = larger
      head = 0
    }
    ring[place(count)] = element
    count += 1
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      ring[head] = nil
      head = place(1)
      count -= 1
    }
    return ring[head]
  }

  /// The index in the ring of the element `distance` places after the first.
  @inlinable func place(_ distance: Int) -> Int { (head + distance) & (ring.count - 1) }
}
