// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Once connected, these stay connected: that is ReactiveObjC's rule, and the reason why `share` exists.
extension SignalConvertible where Value: Sendable {
  /// Runs this signal now, once, and returns a signal that replays all its events to each subscriber.
  ///
  /// The source is subscribed before this returns, and never unsubscribed: it runs until it ends, even
  /// without subscribers, and all its values are retained as long as it runs or the returned signal is
  /// retained. Use ``share(replay:lifetime:connecting:disconnecting:)`` to stop when no subscriber is left,
  /// and ``multicast(_:)`` with a ``ReplaySubject`` to stop by hand.
  ///
  /// Ends as the source does; late subscribers get the history, and then the terminal event. If the source
  /// lets go without one, the subscriptions end when what it has sent was delivered, and later ones after the
  /// history. A subscriber gets the history on its own thread, and then new events on the thread that sends
  /// them, or on one on which another subscriber is just coming (``ReplaySubject``).
  ///
  /// ReactiveObjC: `-replay`.
  @inlinable
  public func replay() -> Signal<Value, Failure> { connected(keeping: .unbounded) }

  /// Runs this signal now, once, and returns a signal that replays its last `count` values, and its terminal
  /// event, to each subscriber.
  ///
  /// The rest is as with ``replay()``: the source is never unsubscribed.
  ///
  /// - Parameter count: how many values are retained.
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-replayLast`, for one value.
  @inlinable
  public func replayLast(_ count: Int = 1) -> Signal<Value, Failure> { connected(keeping: .last(count)) }

  /// Runs this signal with the first subscription, once, and replays all its events to each subscriber.
  ///
  /// The first subscriber is attached, and then the source is subscribed. It is never unsubscribed, as with
  /// ``replay()``, and a source that lets go is treated as there. To keep fewer values, and to stop the
  /// source when the signal and its subscribers are gone, use
  /// ``share(replay:lifetime:connecting:disconnecting:)`` with ``DisconnectPolicy/never``.
  ///
  /// ReactiveObjC: `-replayLazily`, which subscribes to the source before it attaches the first subscriber.
  @inlinable
  public func replayLazily() -> Signal<Value, Failure> {
    let connection = multicast(ReplaySubject(capacity: .unbounded))
    let replayed = connection.following()
    return Signal(attaching: { sink, _ in
      replayed.attach(consume sink)
      connection.connect()
    })
  }

  @inlinable
  func connected(keeping capacity: ReplayCapacity) -> Signal<Value, Failure> {
    let connection = multicast(ReplaySubject(capacity: capacity))
    connection.connect()
    return connection.following()
  }
}
