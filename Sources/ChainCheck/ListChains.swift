// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

extension ChainCase {
  /// Iterating a list that nothing else retains.
  private init(list name: String, _ expected: [Note], _ walk: @escaping @Sendable (Log) -> Void) {
    self.init(name, expected + [.completed]) { log in
      walk(log)
      log.notes.append(.completed)
    }
  }

  static let lists = [
    ChainCase(list: "list: map, filter", [.value(2), .value(4)]) { log in
      for value in LazyList([1, 2, 3]).map({ $0 + 1 }).filter({ $0.isMultiple(of: 2) }) {
        log.notes.append(.value(value))
      }
    },
    ChainCase(list: "list: an endless one", [.value(1), .value(4)]) { log in
      for value in LazyList.generate(1, while: { _ in true }, next: { $0 + 1 }, result: { $0 * $0 }).take(
        first: 2)
      {
        log.notes.append(.value(value))
      }
    },
    ChainCase(list: "list: scan, zip", [.value(2), .value(5)]) { log in
      let sums = LazyList([1, 2]).scan(0) { $0 + $1 }
      for pair in sums.zip(with: LazyList([1, 2])) { log.notes.append(.value(pair.0 + pair.1)) }
    },
    ChainCase(list: "list: its first element", [.value(7)]) { log in
      if let first = LazyList(head: { 7 }, tail: { LazyList([8]) }).head { log.notes.append(.value(first)) }
    },
    ChainCase(list: "list: flatMap, walked by half", [.value(1)]) { log in
      for value in LazyList([1, 2]).flatMap({ LazyList([$0, $0]) }) {
        log.notes.append(.value(value))
        break
      }
    },
  ]
}
