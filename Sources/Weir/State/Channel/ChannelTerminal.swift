// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One end of a channel: a signal of what comes from the other side, and an observer of what goes there.
///
/// All of it may be called from any thread, and never waits. See ``Channel``,
/// ``MutableProperty/makeTerminal()`` and ``ControlProperty/makeTerminal()`` for what is replayed and
/// buffered.
///
/// ReactiveObjC: `RACChannelTerminal`.
public final class ChannelTerminal<Value: Sendable, Failure: Error>: ObserverProtocol, SignalConvertible {
  /// What comes from the other side. It does not keep the channel.
  public let signal: Signal<Value, Failure>
  private let entrance: any ObserverProtocol<Value, Failure>

  init(receiving signal: Signal<Value, Failure>, sendingTo entrance: any ObserverProtocol<Value, Failure>) {
    self.signal = signal
    self.entrance = entrance
  }

  /// Sends a value to the other side: it comes there on this thread, or on one that is delivering already.
  /// Does nothing after the end.
  ///
  /// ReactiveObjC: `-sendNext:`.
  public func send(_ value: Value) { entrance.send(value) }

  /// Ends both sides of the channel: what feeds them first, then the other side, then this one. Only the
  /// first end counts; a failure that comes later goes to ``UnhandledErrors``. A property or a control on the
  /// other side stays as it is.
  ///
  /// ReactiveObjC: `-sendCompleted` and `-sendError:`.
  public func terminate(_ completion: Completion<Failure>) { entrance.terminate(completion) }

  /// Has `subscription` end with the channel, or when nobody has a terminal of it any more; at once, if it
  /// has ended. A signal that is forwarded to a terminal keeps that, so it runs until it ends by itself, or
  /// the channel does.
  ///
  /// ReactiveObjC: `-didSubscribeWithDisposable:`.
  public func adopt(_ subscription: Subscription) { entrance.adopt(subscription) }
}

/// What sets something through a terminal, until the terminal is ended.
final class TerminalEntrance<Value>: ObserverProtocol {
  typealias Failure = Never
  private let upstreams = Subscription()
  private let set: @Sendable (Value) -> Void
  private let end: @Sendable () -> Void

  /// - Parameters:
  ///   - adopt: has the owner of what is set end what it is given when it goes.
  ///   - set: sets it.
  ///   - end: ends the terminal, when what was set before has been set.
  init(
    adoptedWith adopt: (Subscription) -> Void, _ set: @escaping @Sendable (Value) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    self.set = set
    self.end = end
    adopt(upstreams)
  }

  /// Nobody can send any more; the owner forgets what has ended.
  deinit { ReleaseQueue().end(upstreams) { $0.dispose() } }

  /// The upstreams end first of all: with the terminal, and with the owner of what is set.
  func send(_ value: Value) { if !upstreams.isDisposed { set(value) } }

  func terminate(_ completion: Completion<Never>) {
    upstreams.dispose()
    end()
  }

  func adopt(_ subscription: Subscription) { upstreams.adopt(subscription) }
}
