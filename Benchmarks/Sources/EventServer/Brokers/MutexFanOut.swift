// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import NIOCore
import Synchronization

/// A subject over a mutex for each topic, and a queue behind a mutex for each connection: as good as we could write it.
///
/// Of the three subjects it is the fastest one with many subscribers. It does not serialise: two subscribers may get two events of
/// different publishers in different orders.
struct MutexFanOut: FanOut {
  private let ready: PerLoop<ReadyMailboxes>
  private let waiting: Int

  init(on loops: [any EventLoop], waiting: Int) {
    ready = PerLoop(loops) { ReadyMailboxes($0) }
    self.waiting = waiting
  }

  func makeTopic() -> MutexSnapshotSubject<Event> { MutexSnapshotSubject() }

  func makeMailbox(_ outlet: any Outlet) -> MutexMailbox {
    MutexMailbox(outlet, among: ready[outlet.loop], waiting: waiting)
  }

  func link(_ topic: MutexSnapshotSubject<Event>, to mailbox: MutexMailbox) -> MutexLink {
    MutexLink(subscription: topic.subscribe(next: { mailbox.append($0) }))
  }

  func send(_ event: Event, to topic: MutexSnapshotSubject<Event>) { topic.send(event) }
}

struct MutexLink: Link {
  let subscription: MutexSubscription<MutexSnapshotSubject<Event>>
  func end() { subscription.dispose() }
}

/// The mailboxes of a loop that have got something. The loop is told once for all of them.
final class ReadyMailboxes: Sendable {
  private let loop: any EventLoop
  private let mailboxes = Mutex<[MutexMailbox]>([])

  init(_ loop: any EventLoop) { self.loop = loop }

  func add(_ mailbox: MutexMailbox) {
    let isFirst = mailboxes.withLock { mailboxes in
      mailboxes.append(mailbox)
      return mailboxes.count == 1
    }
    if isFirst { loop.execute { self.deliver() } }
  }

  private func deliver() {
    for mailbox in mailboxes.withLock({ exchange(&$0, with: []) }) { mailbox.deliver() }
  }
}
