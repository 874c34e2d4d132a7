// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// Receives the events of one connection. Used only on its loop.
package protocol Outlet: AnyObject, Sendable {
  var loop: any EventLoop { get }
  /// Whether the client keeps up. True also if it has left: what is written then is dropped, so there is no
  /// reason to wait.
  var isWritable: Bool { get }
  /// Sends an event, together with everything that is written in the same iteration of the loop.
  func write(_ event: Event)
  /// Tells the client that this many events were dropped because it was behind.
  func write(lost count: Int)
  /// Calls `body` once, on the loop, as soon as `isWritable` is true.
  func whenWritable(_ body: @escaping @Sendable () -> Void)
}

extension Outlet {
  /// The same, if there were any.
  func tell(lost count: Int) { if count > 0 { write(lost: count) } }
}
