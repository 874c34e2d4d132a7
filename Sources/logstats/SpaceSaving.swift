// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The most frequent keys of a stream in fixed memory: Space-Saving (Metwally, Agrawal, El Abbadi 2005). With
/// up to `capacity` distinct keys the counts are exact. After that a new key takes over the smallest counter,
/// whose count becomes its error: `count - error <= truth <= count`. No key that has occurred more than total
/// / capacity times is missing.
struct SpaceSaving<Key: Hashable> {
  typealias Counter = (key: Key, count: Int, error: Int)
  private(set) var counters: [Counter] = []
  /// Whether no key has taken over the counter of another one, so that no count has an error.
  private(set) var isExact = true
  private let capacity: Int
  private var places: [Key: Int] = [:]
  private var (hand, smallest) = (0, 1)
  init(capacity: Int = 10_000) { self.capacity = capacity }
  mutating func observe(_ key: Key) {
    if let place = places[key] {
      counters[place].count += 1
    } else if counters.count < capacity {
      places[key] = counters.count
      counters.append((key, 1, 0))
    } else {
      // The hand sweeps the counters for one with the smallest count, which grows by one in each round. There
      // are at most total / capacity rounds, so a step takes constant time on average.
      while counters[hand].count > smallest {
        hand += 1
        if hand == capacity { (hand, smallest) = (0, smallest + 1) }
      }
      places[counters[hand].key] = nil
      places[key] = hand
      counters[hand] = (key, smallest + 1, smallest)
      isExact = false
    }
  }

  /// The largest counters, largest first, equal ones in order of arrival.
  func top(_ length: Int) -> [Counter] {
    var top: [Counter] = []
    for counter in counters where top.count < length || counter.count > top[length - 1].count {
      top.insert(counter, at: top.firstIndex { $0.count < counter.count } ?? top.count)
      if top.count > length { top.removeLast() }
    }
    return top
  }
}
