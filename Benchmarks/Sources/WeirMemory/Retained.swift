// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import Weir

/// One value that a replay subject retains: the memory of a full subject less that of a new one, divided by
/// the number of values. If there is a capacity, so many values were sent that each has been displaced once.
enum Retained {
  static var items: [Item] {
    bounded(16) + bounded(1024) + unbounded(100_000)
  }

  private static func bounded(_ capacity: Int) -> [Item] {
    [
      item("\(capacity)", "weir", keeping: capacity, sending: 3 * capacity, subjects: 100) {
        ReplaySubject<Int, Never>(capacity: .last(capacity))
      } send: {
        $0.send($1)
      },
      item("\(capacity)", "mutex", keeping: capacity, sending: 3 * capacity, subjects: 100) {
        MutexReplaySubject<Int>(capacity: capacity)
      } send: {
        $0.send($1)
      },
    ]
  }

  private static func unbounded(_ count: Int) -> [Item] {
    [
      item("unbounded", "weir", keeping: count, sending: count, subjects: 1) {
        ReplaySubject<Int, Never>(capacity: .unbounded)
      } send: {
        $0.send($1)
      },
      item("unbounded", "mutex", keeping: count, sending: count, subjects: 1) {
        MutexReplaySubject<Int>(capacity: .max)
      } send: {
        $0.send($1)
      },
    ]
  }

  private static func item<Source>(
    _ name: String, _ implementation: String, keeping kept: Int, sending sent: Int, subjects: Int,
    _ make: @escaping () -> Source, send: @escaping (Source, Int) -> Void
  ) -> Item {
    Item(piece: "retained-value", source: "replay-subject/\(name)", implementation: implementation) {
      let full = Footprint.ofEach(subjects) {
        let source = make()
        for value in 0..<sent { send(source, value) }
        return source
      }
      return (full - .ofEach(subjects, make)) / kept
    }
  }
}
