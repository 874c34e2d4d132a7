// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// One value for each event loop of a server.
package struct PerLoop<Thing: Sendable>: Sendable {
  private let things: [ObjectIdentifier: Thing]

  package init(_ loops: [any EventLoop], _ make: (any EventLoop) -> Thing) {
    things = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0), make($0)) })
  }

  /// - Precondition: `loop` is one of the server's loops.
  package subscript(loop: any EventLoop) -> Thing {
    guard let thing = things[ObjectIdentifier(loop)] else {
      preconditionFailure("EventServer: \(loop) is not a loop of this server")
    }
    return thing
  }
}
