// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// What a source of a program is, in Weir.
protocol HotPlace: AnyObject, Sendable {
  var signal: Numbers { get }
  func send(_ event: Happening)
  /// Runs a signal, and takes its events.
  func take(_ signal: Numbers) -> Subscription?
}

/// A subject, or a terminal of a channel.
final class HotHub<Hub: ObserverProtocol<Int, TestFailure> & SignalConvertible<Int, TestFailure>>: HotPlace {
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  var signal: Numbers { hub.signal }
  func send(_ event: Happening) { hub.send(event.event) }
  func take(_ signal: Numbers) -> Subscription? { hub.hasEnded ? nil : signal.forward(to: hub) }
}

extension ObserverProtocol {
  /// Whether it has ended. Nothing is forwarded to one that has: how much of the signal is run then is left
  /// open.
  var hasEnded: Bool {
    let probe = Subscription()
    adopt(probe)
    defer { probe.dispose() }
    return probe.isDisposed
  }
}

/// A hot source of a program, until its owner releases it.
final class HotSource: @unchecked Sendable {
  // Unchecked: it is released by the only thread there is, or not at all.
  private var place: (any HotPlace)?

  init(_ place: some HotPlace) { self.place = place }

  /// Its events. Signals do not retain it: what subscribes when it is gone never gets anything.
  var signal: Numbers {
    .attaching { [self] sink in
      if let place { withExtendedLifetime(place) { place.signal.attach(sink) } }
    }
  }

  func send(_ event: Happening) { using { $0.send(event) } }
  func take(_ signal: Numbers) -> Subscription? { using { $0.take(signal) } ?? nil }

  /// Calls `body` with it, if it has not been released.
  @discardableResult
  func using<Result>(_ body: (any HotPlace) -> Result) -> Result? {
    place.map { place in withExtendedLifetime(place) { body(place) } }
  }

  /// Released after the change: clean-ups of its subscribers may send to it.
  func release() {
    let before = place.take()
    withExtendedLifetime(before) {}
  }
}
