// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventLoopScheduler
import Weir

/// The events of a connection. It is fed only on its loop, so a custom source is enough; a subject would do
/// the same for any thread.
final class WeirMailbox: Mailbox, @unchecked Sendable {
  // Unchecked: everything that is not constant is used only on the loop.
  let outlet: any Outlet
  private let inlet = Inlet()
  private let delivery: Subscription
  private var count = 0

  init(_ outlet: any Outlet, on scheduler: EventLoopScheduler, waiting: Int) {
    self.outlet = outlet
    let gaps = Gaps(from: 0)
    delivery = Signal<NumberedEvent, Never>.attaching { [inlet] in inlet.next = $0.next }
      .observe(
        on: WritableScheduler(outlet, on: scheduler), .whenNeeded,
        waiting: .bounded(waiting, onOverflow: .dropOldest)
      )
      .subscribe {
        outlet.tell(lost: gaps.before($0))
        outlet.write($0.event)
      }
  }

  /// Forwards the events of a topic to this mailbox, which numbers them.
  func receive(_ topic: Signal<NumberedEvent, Never>) -> Subscription {
    let gaps = Gaps(from: nil)
    return topic.subscribe { [self] in
      // The events that were dropped because the loop was too slow.
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

/// The subscriber of a mailbox, while that is open. Used only on its loop.
private final class Inlet: @unchecked Sendable {
  @exclusivity(unchecked) var next: (@Sendable (NumberedEvent) -> Void)?
}
