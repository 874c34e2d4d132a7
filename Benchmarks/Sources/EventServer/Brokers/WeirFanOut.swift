// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventLoopScheduler
import NIOCore
import Weir

/// A subject for each topic, which is observed once on each loop with subscribers, and shared there: a burst
/// of events changes threads once for each loop, however many connections receive it.
///
/// Each connection has a source of its own, to which the events of its topics are sent on its loop. It is
/// observed on a scheduler that runs only while the client keeps up; otherwise its events wait, with one
/// bound and in one order.
struct WeirFanOut: FanOut {
  /// How many events of a topic may wait for a loop. They wait for all its connections together, and only
  /// while the loop is doing something else.
  private static let waitingForLoop = 65_536

  private let loops: PerLoop<EventLoopScheduler>
  private let all: [any EventLoop]
  private let waiting: Int

  init(on loops: [any EventLoop], waiting: Int) {
    all = loops
    self.loops = PerLoop(loops) { EventLoopScheduler($0) }
    self.waiting = waiting
  }

  func makeTopic() -> WeirTopic {
    WeirTopic(on: all, loops, waiting: .bounded(Self.waitingForLoop, onOverflow: .dropOldest))
  }

  func makeMailbox(_ outlet: any Outlet) -> WeirMailbox {
    WeirMailbox(outlet, on: loops[outlet.loop], waiting: waiting)
  }

  func link(_ topic: WeirTopic, to mailbox: WeirMailbox) -> WeirLink {
    WeirLink(topic.shared(on: mailbox.outlet.loop), to: mailbox)
  }

  func send(_ event: Event, to topic: WeirTopic) { topic.events.send(event) }
}
