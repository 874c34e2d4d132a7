// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The events of a connection whose client does not keep up. Used only on its loop, so it needs no lock.
final class MutexMailbox: Mailbox, @unchecked Sendable {
  let outlet: any Outlet
  private var waiting: EventRing

  init(_ outlet: any Outlet, waiting: Int) {
    self.outlet = outlet
    self.waiting = EventRing(bound: waiting)
  }

  func receive(_ event: Event) {
    if waiting.isEmpty, outlet.isWritable { return outlet.write(event) }
    if waiting.isEmpty { outlet.whenWritable { self.deliver() } }
    waiting.append(event)
  }

  func close() { waiting.clear() }

  private func deliver() {
    outlet.tell(lost: waiting.takeLost())
    while outlet.isWritable, let event = waiting.removeFirst() { outlet.write(event) }
    if !waiting.isEmpty { outlet.whenWritable { self.deliver() } }
  }
}
