// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import Weir

/// One of a thousand sources without subscribers.
enum Idle {
  static var items: [Item] {
    [
      item("subject") { Subject<Int, Never>() },
      item("subject", "mutex") { MutexCopySubject<Int>() },
      item("replay-subject") { ReplaySubject<Int, Never>(capacity: 16) },
      item("replay-subject", "mutex") { MutexReplaySubject<Int>(capacity: 16) },
      item("current-value") { CurrentValue<Int, Never>(0) },
      item("current-value", "mutex") { MutexCurrentValue(0) },
      item("property") { MutableProperty(0) },
      item("property-string") { MutableProperty("") },
      item("share") { Subject<Int, Never>().share() },
      item("channel") { TwoWayChannel<Int, Never>() },
      item("command") { Command<Int, Int, Never> { .just($0) } },
    ]
  }

  private static func item<Source>(
    _ source: String, _ implementation: String = "weir", _ make: @escaping () -> Source
  ) -> Item {
    Item(piece: "idle", source: source, implementation: implementation) {
      .ofEach(1000, make)
    }
  }
}
