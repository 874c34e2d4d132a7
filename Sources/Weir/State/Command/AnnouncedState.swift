// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Announced state
//
// Guarantees: each subscriber gets the state as it is when it subscribes, and then every change of it once,
// in order and serially, although the first is delivered on the thread that subscribes and the others where
// they are announced.
//
// The state is a count of changes; it is true while that is odd.
//
// Invariants:
//  1. One thread at a time announces. It counts the change, and then notifies the listed subscribers.
//  2. A newcomer is listed, and then reads the count. What is announced once it is listed waits in a turn of
//     its own until it has delivered the state that it found, and is dropped if it is not newer.
//  3. An execution that is requested in a newcomer's handler before it has got all of that starts afterwards:
//     the delivery is a visit to the command, see CommandVisit.
//
// Orderings: an announcement and a newcomer must not miss one another: one changes the count and reads the
// list, the other is listed and reads the count. Both access the count by a read-modify-write. So if the
// newcomer's comes first, the announcement sees that it is listed; and if it comes second, it finds the
// change.

/// A Boolean state of a command, and a signal of it.
///
/// It is no `CurrentValue`, because there a newcomer takes the turn of all subscribers: what is announced
/// meanwhile would be delivered on the newcomer's thread to all others as well, whichever scheduler the
/// command delivers on. Here it is delivered there to the newcomer alone.
struct AnnouncedState: Sendable {
  private let changes: ChangeCount
  private let news = Subject<UInt64, Never>()
  /// The object that identifies the command: the same for all its states. The signal retains it, and so not
  /// the command.
  let command: any AnyObject & Sendable

  /// - Parameter other: a state of the same command, if this is not the first.
  init(_ value: Bool, beside other: AnnouncedState? = nil) {
    changes = ChangeCount(value ? 1 : 0)
    command = other?.command ?? changes
  }

  /// Announces a value, if it is not what was announced last.
  func announce(_ value: Bool) {
    if changes.isOdd == value { return }
    news.send(changes.countOne())
  }

  /// There will be no more announcements.
  func complete() { news.complete() }

  /// The value announced last, on the subscribing thread, and then each one that is announced. It does not
  /// retain the announcer.
  var signal: Signal<Bool, Never> {
    Signal(attaching: { [changes, news, command] sink, _ in
      // The last change that this subscriber has got.
      let seen = OperatorState<UInt64?>(nil)
      let delivery = SerialDelivery<UInt64, Never>(
        to: sink.upstream(
          next: { count in
            if let last = seen.value, count <= last { return }
            seen.value = count
            sink.send(count & 1 != 0)
          }, terminate: sink.terminate))
      guard case .entered = delivery.enter() else { return }
      delivery.listen(to: news.signal, next: { delivery.send($0) })
      CommandVisit.deliver(
        for: command,
        by: {
          delivery.handler.next(changes.found())
          delivery.leave()
        })
    })
  }
}

/// How often a state has changed.
private final class ChangeCount: @unchecked Sendable {
  // Unchecked: an atomic word.
  private var word: UInt64

  init(_ count: UInt64) { word = count }

  private var place: AtomicWord { AtomicWord(property: 0, of: self) }

  /// For the announcing thread, which alone changes it.
  var isOdd: Bool { place.loadRelaxed() & 1 != 0 }

  /// Counts a change, and returns how many there are with it.
  func countOne() -> UInt64 { place.add(1) + 1 }

  /// The count that a newcomer finds: by a read-modify-write, see above.
  func found() -> UInt64 { place.add(0) }
}
