// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventLoopScheduler
import NIOCore
import Weir

/// An event with its number where it was numbered.
struct NumberedEvent: Sendable {
  let number: Int
  let event: Event
}

/// The subject of a topic, and what the connections of each loop share of it.
final class WeirTopic: Sendable {
  let events = Subject<Event, Never>()
  private let shared: PerLoop<Signal<NumberedEvent, Never>>

  init(on loops: [any EventLoop], _ schedulers: PerLoop<EventLoopScheduler>, waiting backlog: Backlog<Never>)
  {
    let source = events
    shared = PerLoop(loops) { loop in
      source
        .enumerated()
        .map { NumberedEvent(number: $0, event: $1) }
        .observe(on: schedulers[loop], waiting: backlog)
        .share()
    }
  }

  func shared(on loop: any EventLoop) -> Signal<NumberedEvent, Never> { shared[loop] }
}

/// Notices when numbers are left out. Used in the serial delivery of one subscription.
final class Gaps: @unchecked Sendable {
  @exclusivity(unchecked) private var next: Int?

  /// - Parameter next: the number that comes first; nil for whichever it is.
  init(from next: Int?) { self.next = next }

  /// How many were left out before this one.
  func before(_ event: NumberedEvent) -> Int {
    let count = next.map { event.number - $0 } ?? 0
    next = event.number + 1
    return count
  }
}
