// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An entry of a ``Heap``.
package protocol HeapEntry: AnyObject {
  /// Its position. Belongs to the heap.
  var place: Int { get set }
  /// Whether it comes out before `other`.
  func isBefore(_ other: Self) -> Bool
}

/// A priority queue: the first entry comes out first. A binary heap in which each entry knows its position,
/// so that adding an entry and removing any one take logarithmic time.
package struct Heap<Entry: HeapEntry> {
  private var entries: [Entry] = []

  package init() {}

  package var count: Int { entries.count }
  package var first: Entry? { entries.first }
  /// All entries, in no particular order.
  package var all: [Entry] { entries }

  package mutating func insert(_ entry: Entry) {
    entry.place = entries.count
    entries.append(entry)
    rise(from: entry.place)
  }

  /// Removes an entry, which must be in the heap.
  package mutating func remove(_ entry: Entry) {
    let place = entry.place
    let last = entries.removeLast()
    if last === entry { return }
    put(last, at: place)
    rise(from: place)
    sink(from: last.place)
  }

  /// Removes all entries for which `isUnwanted` is true. O(n).
  package mutating func removeAll(where isUnwanted: (Entry) -> Bool) {
    entries.removeAll(where: isUnwanted)
    for place in entries.indices { entries[place].place = place }
    for place in (0..<entries.count / 2).reversed() { sink(from: place) }
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    entries[place] = entry
    entry.place = place
  }

  private mutating func rise(from start: Int) {
    var place = start
    let entry = entries[place]
    while place > 0, entry.isBefore(entries[(place - 1) / 2]) {
      put(entries[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    put(entry, at: place)
  }

  private mutating func sink(from start: Int) {
    var place = start
    let entry = entries[place]
    while true {
      var child = 2 * place + 1
      if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
      guard child < entries.count, entries[child].isBefore(entry) else { break }
      put(entries[child], at: place)
      place = child
    }
    put(entry, at: place)
  }
}
