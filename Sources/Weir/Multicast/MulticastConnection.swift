// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One subscription to a signal, shared by everybody who listens to the subject that it feeds.
///
/// Nothing happens before ``connect()``: only then the source is subscribed, once, whatever becomes of it. A
/// connection that was disposed or has ended is over;
/// ``SignalConvertible/share(replay:lifetime:connecting:disconnecting:)`` starts again when somebody comes
/// back. Made by ``SignalConvertible/multicast(_:)`` and ``SignalConvertible/publish()``.
///
/// Delivery, order, and what is queued are those of the subject; the connection buffers nothing. It keeps the
/// subject, and the source until it is connected. The running source keeps the subject too, so the connection
/// itself need not be kept.
///
/// ReactiveObjC: `RACMulticastConnection`.
public final class MulticastConnection<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: `start` belongs to the claimer of the flag.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var start: (@Sendable () -> Void)?
  private let connection: Subscription
  private let audience: ConnectionAudience
  private let afterEvents: AfterEvents

  /// The events of the shared subject. It keeps the subject.
  ///
  /// Who subscribes to it leaves the connection alone. When the connection is disposed, these subscriptions
  /// stay: somebody else may send to the subject. They end with the subject, or with its last holder.
  public let signal: Signal<Value, Failure>

  /// The subject comes as what is done with it, so that its values take a path that the program of the user
  /// has specialised.
  ///
  /// - Parameters:
  ///   - signal: of the subject.
  ///   - adopt: has the subject end a subscription with itself.
  ///   - afterEvents: does something after the events that were sent to the subject before.
  ///   - feed: runs the source into the subject, in a subscription, which its last argument ends when there
  ///     is a terminal event. No value passes once the connection has ended.
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

  /// Subscribes the subject to the source, if nobody has done so before.
  ///
  /// Every call returns the same subscription, whose disposal ends the connection for good, and which has
  /// ended once the source has; one that lets go without a terminal event, once what it has sent was
  /// delivered. Where the subject has ended before, it has, too, and the source is not run. Of several
  /// threads that call it at once, one subscribes; the others may return before it has. The source is
  /// subscribed, and a synchronous one runs to its end, on the thread of that caller. From any thread,
  /// without waiting.
  ///
  /// ReactiveObjC: `-connect`.
  @discardableResult
  public func connect() -> Subscription {
    if OnceFlag(AtomicWord(property: 0, of: self)).claim() {
      // The source is needed no more: a hot one may now go when everybody else has let go of it.
      let taken = start
      start = nil
      if connection.isDisposed {
        // By somebody else who was answered it meanwhile: no run will tell those who came through
        // `autoconnect`, nor those who will.
        audience.members.dispose()
      } else {
        taken?()
      }
    }
    return connection
  }

  /// The shared events as a signal that connects by itself: its first subscriber is attached, and then the
  /// source is connected.
  ///
  /// When the last subscriber has left, the connection is disposed for good, also if it was made with
  /// ``connect()``; all signals that this function returns count together. Who comes after that gets what the
  /// subject replays, and is disposed at once; so is everybody who is there when the connection is disposed
  /// by hand, or the source lets go without a terminal event. If it does so while a value is being delivered,
  /// they first get what it has sent, where the subject is a ``Subject``, a ``ReplaySubject`` or a
  /// ``CurrentValue``; with any other they are disposed at once. When the source ends, everybody gets its
  /// terminal event, and who comes later gets what the subject has for late ones.
  ///
  /// Events come where the source sends them. Buffers nothing; a subscription costs a few small objects. The
  /// signal keeps this connection. Who has ended before, such as an observer that is given to
  /// ``SignalConvertible/forward(to:)`` after its end, is no subscriber: nothing is connected for it.
  ///
  /// ReactiveObjC: `-autoconnect`. To start again with the next subscriber, use
  /// ``SignalConvertible/share(replay:lifetime:connecting:disconnecting:)``.
  public func autoconnect() -> Signal<Value, Failure> {
    Signal(connecting: { [self] sink in
      // Has not come, and so does not leave.
      if sink.subscription.isDisposed { return }
      let comesLate = audience.hasLetGo.isClaimed
      audience.join()
      signal.attach(sink)
      // After it got what is replayed: so disposal takes it off the subject's list before it leaves, and the
      // source that ends with it does not reach it. Before the source runs, which may let go of the
      // connection in there.
      sink.subscription.add(ActionDisposable { [audience] in audience.leave() })
      if audience.hasLetGo.isClaimed, !comesLate {
        // While it got that: the others may have ended, and what it lacks of what was sent may still wait.
        afterEvents { sink.subscription.dispose() }
      } else {
        audience.members.adopt(sink.subscription)
      }
      connect()
    })
  }
}

extension SignalConvertible {
  /// Shares this signal through `subject`: one subscription feeds it, and everybody listens to it.
  ///
  /// The subject decides what a late subscriber gets. It belongs to the caller, who may send to it, too, and
  /// give it to nobody else. A terminal event of this signal ends it; ending it ends the connection.
  ///
  /// ReactiveObjC: `-multicast:`.
  ///
  /// - Parameter subject: what the signal is sent to.
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

  /// Shares this signal through a ``Subject`` of its own: who subscribes late misses what came before, and
  /// after the end gets just the terminal event. The rest is as with ``multicast(_:)``.
  ///
  /// ReactiveObjC: `-publish`.
  @inlinable
  public func publish() -> MulticastConnection<Value, Failure> where Value: Sendable {
    multicast(Subject<Value, Failure>())
  }
}
