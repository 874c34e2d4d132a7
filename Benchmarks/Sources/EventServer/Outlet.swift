// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// Where the events of one connection go. All of it is for the thread of its loop.
package protocol Outlet: AnyObject, Sendable {
  var loop: any EventLoop { get }
  /// Whether the reader keeps up. One that has gone does: what is written to it is dropped, and nobody need
  /// wait for it.
  var isWritable: Bool { get }
  /// Sends an event, together with all that is written in the same turn of the loop.
  func write(_ event: Event)
  /// Tells the reader that so many events were dropped here, since it was behind.
  func write(lost count: Int)
  /// Calls `body` once, on the loop, as soon as `isWritable` is true.
  func whenWritable(_ body: @escaping @Sendable () -> Void)
}

extension Outlet {
  /// The same, if there were any.
  func tell(lost count: Int) { if count > 0 { write(lost: count) } }
}
