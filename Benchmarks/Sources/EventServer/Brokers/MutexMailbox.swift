// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The events of a connection, behind a lock.
final class MutexMailbox: Mailbox, @unchecked Sendable {
  // Unchecked: `written` is used on the loop only.
  private struct State {
    var events = EventRing()
    var lost = 0
    /// Whether somebody will come for what waits.
    var isScheduled = false
    var isClosed = false
  }

  private let outlet: any Outlet
  private let ready: ReadyMailboxes
  private let waiting: Int
  private let state = Mutex(State())
  /// What is being written; otherwise empty, with room for as many events as have waited before.
  private var written = EventRing()

  init(_ outlet: any Outlet, among ready: ReadyMailboxes, waiting: Int) {
    self.outlet = outlet
    self.ready = ready
    self.waiting = waiting
  }

  func append(_ event: Event) {
    let isFirst = state.withLock { state in
      if state.isClosed { return false }
      if state.events.count == waiting {
        _ = state.events.removeFirst()
        state.lost += 1
      }
      state.events.append(event)
      if state.isScheduled { return false }
      state.isScheduled = true
      return true
    }
    if isFirst { ready.add(self) }
  }

  /// Writes what waits. On the loop.
  func deliver() {
    while outlet.isWritable {
      let lost = takeWaiting()
      if written.count == 0 { return }
      if lost > 0 { outlet.write(lost: lost) }
      while let event = written.removeFirst() { outlet.write(event) }
    }
    outlet.whenWritable { self.deliver() }
  }

  /// Answers how many were dropped. If none waits, somebody will have to be asked to come again.
  private func takeWaiting() -> Int {
    var taken = exchange(&written, with: EventRing())
    let lost = state.withLock { state in
      if state.events.count == 0 { state.isScheduled = false }
      swap(&state.events, &taken)
      return exchange(&state.lost, with: 0)
    }
    written = taken
    return lost
  }

  func close() {
    _ = state.withLock { state in
      state.isClosed = true
      return exchange(&state.events, with: EventRing())
    }
  }
}

/// Events in the order in which they came.
struct EventRing: Sendable {
  private var events: ContiguousArray<Event?> = []
  private var first = 0
  private(set) var count = 0

  mutating func append(_ event: Event) {
    if count == events.count { grow() }
    events[(first + count) & (events.count - 1)] = event
    count += 1
  }

  mutating func removeFirst() -> Event? {
    if count == 0 { return nil }
    let event = events[first].take()
    first = (first + 1) & (events.count - 1)
    count -= 1
    return event
  }

  private mutating func grow() {
    var larger: ContiguousArray<Event?> = []
    larger.reserveCapacity(max(16, 2 * events.count))
    for index in 0..<count { larger.append(events[(first + index) & (events.count - 1)]) }
    while larger.count < max(16, 2 * events.count) { larger.append(nil) }
    (events, first) = (larger, 0)
  }
}
