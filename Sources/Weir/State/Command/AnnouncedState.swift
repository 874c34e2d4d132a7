// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Announced state
//
// Guarantees: each subscriber gets the state as it is when it comes, and then every change of it once, in
// order and serially, although the first comes on the thread that subscribes and the others where they are
// announced.
//
// The state is a count of changes; it is yes while that is odd.
//
// Invariants:
//  1. One thread at a time announces. It counts the change, and then tells those who are listed.
//  2. A newcomer is listed, and then looks at the count. What is announced from when it is listed on waits in
//     a turn of its own until it has delivered what it found, and is dropped if that is no news any more.
//  3. What is executed in a newcomer's handler before it has got all of that is started afterwards: its
//     delivery is a visit to the command, see CommandVisit.
//
// Orderings: an announcement and a newcomer must not miss one another: one changes the count and looks at the
// list, the other the other way round. Both touch the count by a read-modify-write. So if the newcomer's
// comes first, the other one has seen that it is listed; and if it comes second, it finds the change.

/// What a command says of itself: a yes or no that changes, and a signal of it.
///
/// It is no `CurrentValue`, because a newcomer takes the turn of that: what is announced meanwhile is then
/// delivered on the newcomer's thread, and to all others as well, whichever scheduler the command delivers
/// on. Here it is delivered there to the newcomer alone.
struct AnnouncedState: Sendable {
  private let changes: ChangeCount
  private let news = Subject<UInt64, Never>()
  /// What stands for the command: the same object for all its states. The signal keeps it, and so not the
  /// command.
  let command: any AnyObject & Sendable

  /// - Parameter other: a state of the same command, if this is not the first.
  init(_ value: Bool, beside other: AnnouncedState? = nil) {
    changes = ChangeCount(value ? 1 : 0)
    command = other?.command ?? changes
  }

  /// Tells everybody, if it is not what was announced last.
  func announce(_ value: Bool) {
    if changes.isOdd == value { return }
    news.send(changes.countOne())
  }

  /// There will be no more announcements.
  func complete() { news.complete() }

  /// What was announced last, on the subscribing thread, and then what is announced. It does not keep whoever
  /// announces.
  var signal: Signal<Bool, Never> {
    Signal(connecting: { [changes, news, command] sink in
      /// Which change it has heard of last.
      let seen = SubscriptionState<UInt64?>(nil)
      let delivery = SerialDelivery<UInt64, Never>(
        to: sink.upstream(
          next: { count in
            if let last = seen.value, count <= last { return }
            seen.value = count
            sink.send(count & 1 != 0)
          }, terminate: sink.terminate))
      guard case .entered = delivery.enter() else { return }
      delivery.listen(to: news.signal)
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

  /// For whoever announces, who alone changes it.
  var isOdd: Bool { place.loadRelaxed() & 1 != 0 }

  /// Counts a change, and returns how many there are with it.
  func countOne() -> UInt64 { place.add(1) + 1 }

  /// What a newcomer finds: by a read-modify-write, see above.
  func found() -> UInt64 { place.add(0) }
}
