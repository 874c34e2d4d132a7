// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import NIOCore
import Synchronization

/// The events of a topic on their way to a loop, and its connections there.
final class MutexLoopQueue: @unchecked Sendable {
  // Unchecked: everything that is not behind the lock is used only on the loop.
  private struct Arrived {
    var events = EventRing(bound: 65_536)
    /// Whether a task that will take the waiting events is already scheduled.
    var isScheduled = false
  }

  private let loop: any EventLoop
  private let arrived = Mutex(Arrived())
  /// The events that are being delivered; otherwise empty, with room for the largest batch so far.
  private var taken = EventRing(bound: 65_536)
  private var mailboxes: [MutexMailbox] = []
  private var subscription: MutexSubscription<MutexSnapshotSubject<Event>>?

  init(_ loop: any EventLoop) { self.loop = loop }

  func add(_ mailbox: MutexMailbox, of topic: MutexSnapshotSubject<Event>) {
    mailboxes.append(mailbox)
    if subscription == nil { subscription = topic.subscribe(next: { [self] in append($0) }) }
  }

  func remove(_ mailbox: MutexMailbox) {
    if let index = mailboxes.lastIndex(where: { $0 === mailbox }) { mailboxes.remove(at: index) }
    if mailboxes.isEmpty { subscription.take()?.dispose() }
  }

  private func append(_ event: Event) {
    let isFirst = arrived.withLock { arrived in
      arrived.events.append(event)
      defer { arrived.isScheduled = true }
      return !arrived.isScheduled
    }
    if isFirst { loop.execute { self.deliver() } }
  }

  private func deliver() {
    var events = exchange(&taken, with: EventRing(bound: 0))
    arrived.withLock { arrived in
      swap(&arrived.events, &events)
      arrived.isScheduled = false
    }
    let lost = events.takeLost()
    for mailbox in mailboxes { mailbox.outlet.tell(lost: lost) }
    while let event = events.removeFirst() {
      for mailbox in mailboxes { mailbox.receive(event) }
    }
    taken = events
  }
}
