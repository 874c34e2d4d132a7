// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventLoopScheduler
import NIOCore
import Weir

/// An event with the number that it got where it was numbered.
struct NumberedEvent: Sendable {
  let number: Int
  let event: Event
}

/// The subject of a topic, and for each loop the signal that its connections share.
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

/// Detects missing numbers.
struct Gaps {
  private var next: Int?

  /// - Parameter next: the number expected first; nil for any.
  init(from next: Int?) { self.next = next }

  /// How many numbers are missing before this one.
  mutating func before(_ event: NumberedEvent) -> Int {
    let count = next.map { event.number - $0 } ?? 0
    next = event.number + 1
    return count
  }
}
