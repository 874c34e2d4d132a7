// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The sources of topics by name. A topic exists while it has subscribers.
///
/// The same for all brokers, behind a lock that is held only to look a name up.
final class TopicTable<Topic: AnyObject & Sendable>: Sendable {
  private struct Entry {
    let topic: Topic
    var subscriptions: Int
  }
  private let entries = Mutex<[String: Entry]>([:])

  var count: Int { entries.withLock { $0.count } }

  subscript(name: String) -> Topic? { entries.withLock { $0[name]?.topic } }

  /// The topic, for one more subscription.
  func enter(_ name: String, make: () -> Topic) -> Topic {
    entries.withLock { entries in
      let topic = entries[name]?.topic ?? make()
      entries[name, default: Entry(topic: topic, subscriptions: 0)].subscriptions += 1
      return topic
    }
  }

  /// Ends one subscription. The last one releases the topic, outside the lock.
  func leave(_ name: String) {
    _ = entries.withLock { entries -> Topic? in
      entries[name]?.subscriptions -= 1
      return entries[name]?.subscriptions == 0 ? entries.removeValue(forKey: name)?.topic : nil
    }
  }
}
