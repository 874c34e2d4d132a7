// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import NIOCore

/// A fan-out with locks, as well as we could write it: a mutex subject for each topic, to which each loop
/// with subscribers is subscribed once, through a queue behind a mutex; and for each connection a queue that
/// only its loop uses.
///
/// The subject is the one of the three mutex subjects that is fastest with many subscribers. It does not
/// serialise senders: two loops may get events of different publishers in different orders.
struct MutexFanOut: FanOut {
  let loops: [any EventLoop]
  let waiting: Int

  func makeTopic() -> MutexTopic { MutexTopic(on: loops) }
  func makeMailbox(_ outlet: any Outlet) -> MutexMailbox { MutexMailbox(outlet, waiting: waiting) }

  func link(_ topic: MutexTopic, to mailbox: MutexMailbox) -> MutexLink {
    let queue = topic.queues[mailbox.outlet.loop]
    queue.add(mailbox, of: topic.events)
    return MutexLink(queue: queue, mailbox: mailbox)
  }

  func send(_ event: Event, to topic: MutexTopic) { topic.events.send(event) }
}

final class MutexTopic: Sendable {
  let events = MutexSnapshotSubject<Event>()
  let queues: PerLoop<MutexLoopQueue>

  init(on loops: [any EventLoop]) { queues = PerLoop(loops) { MutexLoopQueue($0) } }
}

struct MutexLink: Link {
  let queue: MutexLoopQueue
  let mailbox: MutexMailbox
  func end() { queue.remove(mailbox) }
}
