// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventLoopScheduler
import NIOCore
import Weir

/// A subject for each topic, and for each connection another one that is observed on the loop of the connection.
///
/// All events of all topics of a connection wait in one ring, with one bound, in one order. A publisher hands the hops that it wakes on
/// a loop over as one piece of work: that is the serial scheduler between them and the loop.
struct WeirFanOut: FanOut {
  private let schedulers: PerLoop<SerialScheduler>
  private let waiting: Int

  init(on loops: [any EventLoop], waiting: Int) {
    schedulers = PerLoop(loops) { SerialScheduler(on: EventLoopScheduler($0)) }
    self.waiting = waiting
  }

  func makeTopic() -> Subject<Event, Never> { Subject() }

  func makeMailbox(_ outlet: any Outlet) -> WeirMailbox {
    WeirMailbox(outlet, on: schedulers[outlet.loop], waiting: waiting)
  }

  func link(_ topic: Subject<Event, Never>, to mailbox: WeirMailbox) -> WeirLink {
    WeirLink(subscription: topic.forward(to: mailbox.events))
  }

  func send(_ event: Event, to topic: Subject<Event, Never>) { topic.send(event) }
}

final class WeirMailbox: Mailbox {
  let events = Subject<Event, Never>()
  private let delivery: Subscription

  init(_ outlet: any Outlet, on scheduler: SerialScheduler, waiting: Int) {
    let expected = Expected()
    delivery =
      events
      .enumerated()
      .observe(
        on: WritableScheduler(outlet, on: scheduler), waiting: .bounded(waiting, onOverflow: .dropOldest)
      )
      .subscribe { number, event in
        if number > expected.number { outlet.write(lost: number - expected.number) }
        expected.number = number + 1
        outlet.write(event)
      }
  }

  func close() { delivery.dispose() }
}

/// The number that comes next, if nothing is dropped.
private final class Expected: @unchecked Sendable {  // used in one subscription's serial delivery
  @exclusivity(unchecked) var number = 0
}

struct WeirLink: Link {
  let subscription: Subscription
  func end() { subscription.dispose() }
}
