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
  /// The subscription; nil while a synchronous signal still runs.
  public private(set) var subscription: Subscription?

  /// A recorder of `signal`, subscribed at once.
  public init(_ signal: some SignalConvertible<Value, Failure>) {
    subscription = signal.subscribe(
      next: { [self] in events.append(.next($0)) },
      failed: { [self] in events.append(.failed($0)) },
      completed: { [self] in events.append(.completed) })
  }

  /// The values among the events.
  public var values: [Value] {
    events.compactMap { if case .next(let value) = $0 { value } else { nil } }
  }

  /// How the signal ended; nil if it has not.
  public var completion: Completion<Failure>? { events.last?.completion }

  /// Ends the subscription.
  public func dispose() { subscription?.dispose() }
}
