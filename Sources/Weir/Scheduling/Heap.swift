// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What waits in a ``Heap``.
package protocol HeapEntry: AnyObject {
  /// Where it is. Belongs to the heap.
  var place: Int { get set }
  /// Whether it comes out before `other`.
  func isBefore(_ other: Self) -> Bool
}

/// A priority queue: the first entry comes out first. A binary heap that knows where each entry is, so that
/// adding one and taking any out cost the logarithm of their number.
package struct Heap<Entry: HeapEntry> {
  private var entries: [Entry] = []

  package init() {}

  package var count: Int { entries.count }
  package var first: Entry? { entries.first }
  /// All of them, in no order that means anything.
  package var all: [Entry] { entries }

  package mutating func insert(_ entry: Entry) {
    entry.place = entries.count
    entries.append(entry)
    rise(from: entry.place)
  }

  /// Takes out an entry that is in.
  package mutating func remove(_ entry: Entry) {
    let place = entry.place
    let last = entries.removeLast()
    if last === entry { return }
    put(last, at: place)
    rise(from: place)
    sink(from: last.place)
  }

  /// Takes out all entries for which `isUnwanted` is true. O(n).
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
