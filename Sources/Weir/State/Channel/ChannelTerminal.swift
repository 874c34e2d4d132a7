// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One end of a channel: a signal of what the other side sends, and an observer that sends to it.
///
/// All of it may be called from any thread, and never waits. See ``TwoWayChannel``,
/// ``MutableProperty/makeTerminal()`` and ``ControlProperty/makeTerminal()`` for what is replayed and
/// buffered.
///
/// ReactiveObjC: `RACChannelTerminal`.
public final class ChannelTerminal<Value: Sendable, Failure: Error>: ObserverProtocol, SignalConvertible {
  /// What the other side sends. It does not retain the channel.
  public let signal: Signal<Value, Failure>
  /// ``ObserverProtocol/send(_:)`` of the entrance, specialised for its type where that is known.
  @usableFromInline let enter: @Sendable (Value) -> Void
  @usableFromInline let entrance: any ObserverProtocol<Value, Failure>

  @inlinable
  init(receiving signal: Signal<Value, Failure>, sendingTo entrance: some ObserverProtocol<Value, Failure>) {
    self.signal = signal
    self.entrance = entrance
    enter = { entrance.send($0) }
  }

  /// Sends a value to the other side: it is delivered there on this thread, or on one that is already
  /// delivering. Does nothing after the end.
  ///
  /// ReactiveObjC: `-sendNext:`.
  @inlinable
  public func send(_ value: Value) { enter(value) }

  /// Ends both sides of the channel: the subscriptions that feed them first, then the other side, then this
  /// one; if the other side is still getting values, on the thread that delivers these. Only the first end
  /// counts; a later failure goes to ``UnhandledErrors``. A property or a control on the other side stays as
  /// it is.
  ///
  /// ReactiveObjC: `-sendCompleted` and `-sendError:`.
  @inlinable
  public func terminate(_ completion: Completion<Failure>) { entrance.terminate(completion) }

  /// Ends `subscription` with the channel, or when the last terminal of the channel is released; at once, if
  /// the channel has ended. A signal that is forwarded to a terminal retains it, and so runs until it ends by
  /// itself, or the channel does.
  ///
  /// ReactiveObjC: `-didSubscribeWithDisposable:`.
  @inlinable
  public func adopt(_ subscription: Subscription) { entrance.adopt(subscription) }
}

/// Sets something through a terminal, until the terminal is ended.
@usableFromInline
final class TerminalEntrance<Value>: ObserverProtocol {
  @usableFromInline typealias Failure = Never
  @usableFromInline let upstreams = Subscription()
  @usableFromInline let set: @Sendable (Value) -> Void
  @usableFromInline let end: @Sendable () -> Void

  /// - Parameters:
  ///   - adopt: makes a subscription end when the owner of what is set is deallocated.
  ///   - set: sets a value.
  ///   - end: ends the terminal, after the values sent before have been set.
  @inlinable
  init(
    adoptedWith adopt: (Subscription) -> Void, _ set: @escaping @Sendable (Value) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    self.set = set
    self.end = end
    adopt(upstreams)
  }

  /// Nobody can send any more; the owner drops the subscription, which has ended.
  deinit { ReleaseQueue().end(upstreams) { $0.end() } }

  /// The upstreams end first of all: with the terminal, and with the owner of what is set.
  @inlinable
  func send(_ value: Value) { if !upstreams.isDisposed { set(value) } }

  @inlinable
  func terminate(_ completion: Completion<Never>) {
    upstreams.end()
    end()
  }

  @inlinable
  func adopt(_ subscription: Subscription) { upstreams.adopt(subscription) }
}
