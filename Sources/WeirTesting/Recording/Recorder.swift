// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// Subscribes to a signal and records the events it delivers.
///
/// It may be read from any thread, also while events are being sent.
///
/// ReactiveObjC has none.
public final class Recorder<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: the events are under the lock.
  private let lock = Lock()
  private var recorded: [Event<Value, Failure>] = []
  /// The subscription.
  public let subscription = Subscription()

  /// A recorder of `signal`, subscribed at once.
  public init(_ signal: some SignalConvertible<Value, Failure>) {
    signal.attach(
      Sink(
        next: { [self] in record(.next($0)) },
        terminate: { [self] in subscription.end(with: $0) { record(Event($0)) } },
        subscription: subscription))
  }

  /// All events so far, in order.
  public var events: [Event<Value, Failure>] { lock.withLock { recorded } }

  /// The values among the events.
  public var values: [Value] {
    events.compactMap { if case .next(let value) = $0 { value } else { nil } }
  }

  /// How the signal ended; nil if it has not.
  public var completion: Completion<Failure>? { lock.withLock { recorded.last?.completion } }

  /// Ends the subscription.
  public func dispose() { subscription.dispose() }

  private func record(_ event: Event<Value, Failure>) { lock.withLock { recorded.append(event) } }
}
