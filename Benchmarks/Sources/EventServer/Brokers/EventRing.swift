// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A queue of events with a bound: one more displaces the oldest. It keeps the memory for as many events as
/// have waited before.
struct EventRing: Sendable {
  private var slots: ContiguousArray<Event?> = []
  private var first = 0
  private var count = 0
  private var lost = 0
  private let bound: Int

  init(bound: Int) { self.bound = bound }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ event: Event) {
    if count == bound {
      _ = removeFirst()
      lost += 1
    }
    if count == slots.count { grow() }
    slots[(first + count) & (slots.count - 1)] = event
    count += 1
  }

  mutating func removeFirst() -> Event? {
    if count == 0 { return nil }
    let event = slots[first].take()
    first = (first + 1) & (slots.count - 1)
    count -= 1
    return event
  }

  /// The number of events displaced since the last call.
  mutating func takeLost() -> Int { exchange(&lost, with: 0) }

  mutating func clear() { self = EventRing(bound: bound) }

  private mutating func grow() {
    var larger = ContiguousArray<Event?>(repeating: nil, count: max(16, 2 * slots.count))
    for index in 0..<count { larger[index] = slots[(first + index) & (slots.count - 1)] }
    (slots, first) = (larger, 0)
  }
}
