// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventLoopScheduler
import Weir

/// The events of a connection. It is fed only on its loop, so a custom source is enough; a subject would do
/// the same for any thread.
final class WeirMailbox: Mailbox, @unchecked Sendable {
  // Unchecked: everything that is not constant is used only on the loop.
  let outlet: any Outlet
  /// The subscriber of the source. It retains this mailbox until that is closed.
  @exclusivity(unchecked) private var next: (@Sendable (NumberedEvent) -> Void)?
  @exclusivity(unchecked) private var count = 0
  /// The events that were dropped while they waited, because the client was too slow.
  @exclusivity(unchecked) private var gaps = Gaps(from: 0)
  private var delivery: Subscription?

  init(_ outlet: any Outlet, on scheduler: EventLoopScheduler, waiting: Int) {
    self.outlet = outlet
    delivery = Signal<NumberedEvent, Never>.attaching { [self] in next = $0.next }
      .observe(
        on: WritableScheduler(outlet, on: scheduler), .whenNeeded,
        waiting: .bounded(waiting, onOverflow: .dropOldest)
      )
      .subscribe { [self] in write($0) }
  }

  /// Numbers an event, and sends it to the subscriber.
  func receive(_ event: Event) {
    next?(NumberedEvent(number: count, event: event))
    count += 1
  }

  private func write(_ event: NumberedEvent) {
    outlet.tell(lost: gaps.before(event))
    outlet.write(event.event)
  }

  func close() {
    next = nil
    delivery?.dispose()
  }
}

/// The subscription of a connection to a topic.
final class WeirLink: Link, @unchecked Sendable {
  // Unchecked: used only on the loop of the mailbox.
  private let mailbox: WeirMailbox
  /// The events that were dropped on their way to the loop, because that was too slow.
  @exclusivity(unchecked) private var gaps = Gaps(from: nil)
  private var subscription: Subscription?

  init(_ topic: Signal<NumberedEvent, Never>, to mailbox: WeirMailbox) {
    self.mailbox = mailbox
    subscription = topic.subscribe { [self] in receive($0) }
  }

  private func receive(_ event: NumberedEvent) {
    mailbox.outlet.tell(lost: gaps.before(event))
    mailbox.receive(event.event)
  }

  func end() { subscription?.dispose() }
}
