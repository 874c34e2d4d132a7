// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A first-in-first-out queue for one thread at a time, in a ring that doubles when it is full: from 4 elements on,
/// so that its size is a power of two. Appending and popping are O(1) amortised.
struct FIFO<Element> {
  private var ring: [Element?] = []
  private var first = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) {
    if count == ring.count {
      ring =
        (0..<count).map { ring[(first + $0) & (count - 1)] }
        + [Element?](repeating: nil, count: max(4, count))
      first = 0
    }
    ring[(first + count) & (ring.count - 1)] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      ring[first] = nil
      first = (first + 1) & (ring.count - 1)
      count -= 1
    }
    return ring[first]
  }
}
