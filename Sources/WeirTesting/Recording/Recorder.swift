// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// Subscribes to a signal and records the events it delivers.
///
/// Read the events when nothing is sending any more: after joining the sending threads, or on the sending
/// thread.
///
/// ReactiveObjC has none.
public final class Recorder<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: written in serial delivery only.
  /// All events so far, in order.
  public private(set) var events: [Event<Value, Failure>] = []
  /// The subscription.
  public let subscription = Subscription()

  /// A recorder of `signal`, subscribed at once.
  public init(_ signal: some SignalConvertible<Value, Failure>) {
    signal.attach(
      Sink(
        next: { [self] in events.append(.next($0)) },
        terminate: { [self] in subscription.end(with: $0) { events.append(Event($0)) } },
        subscription: subscription))
  }

  /// The values among the events.
  public var values: [Value] {
    events.compactMap { if case .next(let value) = $0 { value } else { nil } }
  }

  /// How the signal ended; nil if it has not.
  public var completion: Completion<Failure>? { events.last?.completion }

  /// Ends the subscription.
  public func dispose() { subscription.dispose() }
}
