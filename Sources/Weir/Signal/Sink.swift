// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Where an operator sends its events: the receiving end of a chain, as the author of an operator sees it.
///
/// A sink trusts its caller: events come serially, nothing comes after a terminal event, and a source asks
/// ``Subscription/isEnded`` before each value. Whoever cannot promise that uses ``Signal/create(_:)``, whose observer
/// takes events from anywhere and keeps the rules for them.
///
/// `next` and `terminate` are separate closures on purpose: a value that travels as itself is several times faster than one
/// wrapped into an enum.
@frozen
public struct Sink<Value, Failure: Error>: Sendable {
  /// Takes a value, but does not ask whether the subscription has ended. Only sources that have just asked may use it.
  @usableFromInline let direct: @Sendable (Value) -> Void
  /// Takes the terminal event.
  public let terminate: @Sendable (Completion<Failure>) -> Void
  /// The run this sink belongs to.
  public let subscription: Subscription
  @usableFromInline let gate: Gate

  /// Whether `direct` looks at the subscription somewhere downstream. The last sink of a chain does not: a subject that
  /// calls the user's closure should call just that.
  @frozen @usableFromInline enum Gate: Sendable { case ahead, missing }

  @inlinable @inline(__always)
  init(
    direct: @escaping @Sendable (Value) -> Void, gate: Gate,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void, subscription: Subscription
  ) {
    self.direct = direct
    self.gate = gate
    self.terminate = terminate
    self.subscription = subscription
  }

  /// - Parameters:
  ///   - next: what to do with a value.
  ///   - terminate: what to do with the terminal event.
  ///   - subscription: that of the sink downstream for an operator with one upstream, else one of its own.
  @inlinable @inline(__always)
  public init(
    next: @escaping @Sendable (Value) -> Void,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void,
    subscription: Subscription
  ) {
    self.init(direct: next, gate: .ahead, terminate: terminate, subscription: subscription)
  }

  /// Takes a value; drops it if the subscription has ended, as it may have inside the operator's own closure.
  @inlinable @inline(__always)
  public var next: @Sendable (Value) -> Void {
    switch gate {
    case .ahead: direct
    case .missing: { [direct, subscription] value in if !subscription.isEnded { direct(value) } }
    }
  }
}
