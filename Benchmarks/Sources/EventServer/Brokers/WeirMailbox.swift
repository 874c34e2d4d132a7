// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventLoopScheduler
import Weir

/// The events of a connection. Fed on its loop only, and so a source of one's own: a subject would do the
/// same for any thread.
final class WeirMailbox: Mailbox, @unchecked Sendable {
  // Unchecked: what is not constant is used on the loop only.
  let outlet: any Outlet
  private let inlet = Inlet()
  private let delivery: Subscription
  private var count = 0

  init(_ outlet: any Outlet, on scheduler: EventLoopScheduler, waiting: Int) {
    self.outlet = outlet
    let gaps = Gaps(from: 0)
    delivery = Signal<NumberedEvent, Never>(connecting: { [inlet] in inlet.next = $0.next })
      .observe(
        on: WritableScheduler(outlet, on: scheduler), .whenNeeded,
        waiting: .bounded(waiting, onOverflow: .dropOldest)
      )
      .subscribe {
        outlet.tell(lost: gaps.before($0))
        outlet.write($0.event)
      }
  }

  /// Has the events of a topic sent here, with numbers of this mailbox.
  func receive(_ topic: Signal<NumberedEvent, Never>) -> Subscription {
    let gaps = Gaps(from: nil)
    return topic.subscribe { [self] in
      // What the loop was too late for.
      outlet.tell(lost: gaps.before($0))
      inlet.next?(NumberedEvent(number: count, event: $0.event))
      count += 1
    }
  }

  func close() {
    inlet.next = nil
    delivery.dispose()
  }
}

/// What takes the events of a mailbox, while it is open. Used on its loop only.
private final class Inlet: @unchecked Sendable {
  @exclusivity(unchecked) var next: (@Sendable (NumberedEvent) -> Void)?
}
