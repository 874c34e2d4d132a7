// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One subscription to a signal, shared by all subscribers of the subject that it feeds.
///
/// Nothing happens before ``connect()``: only then the source is subscribed, once and never again. A
/// connection that was disposed or has ended is over;
/// ``SignalConvertible/share(replay:lifetime:connecting:disconnecting:)`` starts again with the next
/// subscriber. Made by ``SignalConvertible/multicast(_:)`` and ``SignalConvertible/publish()``.
///
/// Delivery, order and queueing are those of the subject; the connection buffers nothing. It retains the
/// subject, and the source until it is connected. The running source retains the subject, too, so the
/// connection itself need not be retained.
///
/// ReactiveObjC: `RACMulticastConnection`.
public final class MulticastConnection<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: `start` belongs to the claimer of the flag.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var start: (@Sendable () -> Void)?
  private let connection: Subscription
  private let audience: ConnectionAudience
  private let afterEvents: AfterEvents

  /// The events of the shared subject. The signal retains the subject.
  ///
  /// Subscribing to it does not affect the connection. When the connection is disposed, these subscriptions
  /// stay: others may send to the subject. They end with the subject, or when nobody retains that any more.
  ///
  /// ReactiveObjC: `signal`.
  public let signal: Signal<Value, Failure>

  /// The subject is passed as closures, so that its values take a path that is specialised in the user's
  /// program.
  ///
  /// - Parameters:
  ///   - signal: the signal of the subject.
  ///   - adopt: makes the subject end a subscription when it ends itself.
  ///   - afterEvents: calls a closure after the events that were sent to the subject before.
  ///   - feed: runs the source into the subject, in a subscription, which its last argument ends when there
  ///     is a terminal event. No value is forwarded once the connection has ended.
  @usableFromInline
  init(
    signal: Signal<Value, Failure>, adopt: @escaping @Sendable (Subscription) -> Void,
    afterEvents: @escaping AfterEvents,
    feed:
      @escaping @Sendable (
        Subscription, _ connection: Subscription, @escaping @Sendable (Subscription) -> Bool
      ) -> Void
  ) {
    let connection = Subscription()
    let audience = ConnectionAudience(of: connection)
    self.signal = signal
    self.connection = connection
    self.audience = audience
    self.afterEvents = afterEvents
    start = {
      let run = ConnectionRun(for: audience, in: connection, afterEvents: afterEvents)
      // Before the connection: the subject ends them in this order.
      adopt(run.ending)
      adopt(connection)
      // The subject has ended: there is nobody to run the source for.
      if connection.isDisposed { return }
      feed(run.source, connection) { _ in run.end() }
    }
  }

  /// If it was never connected, the source is released, which may retain another connection.
  deinit { ReleaseQueue().release(&start) }

  /// Subscribes the subject to the source, if that has not been done before.
  ///
  /// Every call returns the same subscription. Disposing it ends the connection for good. It ends when the
  /// source does; if that lets go without a terminal event, when what it has sent was delivered. If the
  /// subject has ended before, so has the subscription, and the source is not run. Of several threads that
  /// call this at once, one subscribes; the others may return before it has. The source is subscribed, and a
  /// synchronous one runs to its end, on the thread of that caller. From any thread, without waiting.
  ///
  /// ReactiveObjC: `-connect`.
  @discardableResult
  public func connect() -> Subscription {
    if OnceFlag(AtomicWord(property: 0, of: self)).claim() {
      // The source is not needed any more: a hot one may now be released when nobody else retains it.
      let taken = start
      start = nil
      if connection.isDisposed {
        // Disposed meanwhile by another caller of this: no run will end the subscribers of `autoconnect`, nor
        // those to come.
        audience.members.end()
      } else {
        taken?()
      }
    }
    return connection
  }

  /// Returns the shared events as a signal that connects by itself: its first subscriber is attached, and
  /// then the source is connected.
  ///
  /// When the last subscriber has left, the connection is disposed for good, even if it was made with
  /// ``connect()``; the subscribers of all signals that this function returns are counted together. Later
  /// subscribers get what the subject replays, and are disposed. All subscribers are disposed when somebody
  /// disposes the connection or the source lets go; in the second case they first get what it has sent (with
  /// a ``Subject``, ``ReplaySubject`` or ``CurrentValue``). When the source ends, all subscribers get its
  /// terminal event, and later ones get what the subject has for late subscribers.
  ///
  /// Events are delivered on the sending thread. Buffers nothing; a subscription costs a few small objects.
  /// The signal retains this connection. A subscriber that has already ended, such as an observer that is
  /// passed to ``SignalConvertible/forward(to:)`` after its end, does not count: nothing is connected for it.
  ///
  /// ReactiveObjC: `-autoconnect`. To start again with the next subscriber, use
  /// ``SignalConvertible/share(replay:lifetime:connecting:disconnecting:)``.
  public func autoconnect() -> Signal<Value, Failure> {
    Signal(attaching: { [self] sink, _ in
      // Not counted, and so does not leave.
      if sink.subscription.isDisposed { return }
      audience.join()
      attach(sink) {
        // After the replay: so disposal takes it off the subject's list before it leaves, and a source that
        // ends with it does not reach it. Before the source runs, which may let go of the connection while it
        // is being subscribed.
        sink.subscription.list.add(audience)
      }
      connect()
    })
  }

  /// The shared events, without counting subscribers: they do not connect it, and it outlasts them. They are
  /// disposed as those of ``autoconnect()`` are when the connection is over without a terminal event.
  @usableFromInline
  func following() -> Signal<Value, Failure> { Signal(attaching: { [self] sink, _ in attach(consume sink) }) }

  /// Attaches a subscriber that ends with the connection.
  ///
  /// - Parameter caughtUp: called after the replay.
  private func attach(_ sink: consuming Sink<Value, Failure>, caughtUp: () -> Void = {}) {
    let subscription = sink.subscription
    signal.attach(consume sink)
    caughtUp()
    audience.enroll(subscription, afterEvents: afterEvents)
  }
}

extension SignalConvertible {
  /// Shares this signal through `subject`: one subscription feeds the subject, to which everybody subscribes.
  ///
  /// The subject decides what a late subscriber gets. It belongs to the caller, who may also send to it, or
  /// keep it private. A terminal event of this signal ends the subject; ending the subject ends the
  /// connection.
  ///
  /// - Parameter subject: what the signal is sent to.
  ///
  /// ReactiveObjC: `-multicast:`.
  @inlinable
  public func multicast<Hub: ObserverProtocol & SignalConvertible>(
    _ subject: Hub
  ) -> MulticastConnection<Value, Failure> where Hub.Value == Value, Hub.Failure == Failure {
    MulticastConnection(
      signal: subject.signal, adopt: { subject.adopt($0) },
      afterEvents: { if let hub = subject as? any OrderedHub { hub.afterEvents($0) } else { $0() } },
      feed: { [source = signal] run, connection, end in
        source.feed(
          subject, in: run, next: { if !connection.isDisposed { subject.send($0) } }, ending: end)
      })
  }

  /// Shares this signal through a ``Subject`` of its own: a late subscriber misses earlier values, and after
  /// the end gets just the terminal event. The rest is as with ``multicast(_:)``.
  ///
  /// ReactiveObjC: `-publish`.
  @inlinable
  public func publish() -> MulticastConnection<Value, Failure> where Value: Sendable {
    multicast(Subject<Value, Failure>())
  }
}
