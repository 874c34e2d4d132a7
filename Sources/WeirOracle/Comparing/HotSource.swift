// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// A hot source of a program, until its owner releases it.
final class HotSource: @unchecked Sendable {
  // Unchecked: it is released by the only thread there is, or not at all.
  typealias Hub = ObserverProtocol<Int, TestFailure> & SignalConvertible<Int, TestFailure>

  private var hub: (any Hub)?

  init(_ hub: some Hub) { self.hub = hub }

  /// Its events. Signals do not retain it: what subscribes when it is gone never gets anything.
  var signal: Numbers {
    .attaching { [self] sink in
      if let hub { hub.signal.attach(sink) }
    }
  }

  func send(_ event: Happening) { hub?.send(event.event) }

  /// Released after the change: clean-ups of its subscribers may send to it.
  func release() {
    let before = hub.take()
    withExtendedLifetime(before) {}
  }
}
