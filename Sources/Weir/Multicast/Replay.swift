// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Once connected, these stay connected: that is ReactiveObjC's rule, and the reason why `share` exists.
extension SignalConvertible where Value: Sendable {
  /// Runs this signal now, once, and returns a signal that replays all its events to whoever subscribes.
  ///
  /// The source is subscribed before this returns, and never unsubscribed: it runs until it ends, also when
  /// nobody listens, and all its values are kept as long as it runs or the answer is kept. Use
  /// ``share(replay:lifetime:connecting:disconnecting:)`` to stop when nobody is left, and ``multicast(_:)``
  /// with a ``ReplaySubject`` to stop by hand. Whatever subscribes to a connection that nobody ever
  /// connects is kept for ever: a replay of it, and a retry or a concat that has come to it.
  ///
  /// Ends as the source does; late subscribers get the history, and then the end. A subscriber gets the
  /// history on its own thread, and then what the source sends, where it sends it, or where a subscriber is
  /// just coming (``ReplaySubject``).
  ///
  /// ReactiveObjC: `-replay`.
  @inlinable
  public func replay() -> Signal<Value, Failure> { connected(keeping: .unbounded) }

  /// Runs this signal now, once, and returns a signal that replays its last `count` values, and its end, to
  /// whoever subscribes.
  ///
  /// The rest is as with ``replay()``: the source is never unsubscribed.
  ///
  /// ReactiveObjC: `-replayLast`, for one value.
  ///
  /// - Parameter count: how many values are kept.
  /// - Precondition: `count` is not negative.
  @inlinable
  public func replayLast(_ count: Int = 1) -> Signal<Value, Failure> { connected(keeping: .last(count)) }

  /// Runs this signal with the first subscription, once, and replays all its events to whoever subscribes.
  ///
  /// The first subscriber is attached, and then the source is subscribed. It is never unsubscribed, as with
  /// ``replay()``; and all that was sent is replayed, also when the source has let go of it without a
  /// terminal event. To keep fewer values, and stop the source when the signal and its subscribers are gone:
  /// ``share(replay:lifetime:connecting:disconnecting:)`` with ``DisconnectPolicy/never``.
  ///
  /// ReactiveObjC: `-replayLazily`, which subscribes to the source before it attaches the first subscriber.
  @inlinable
  public func replayLazily() -> Signal<Value, Failure> {
    let connection = multicast(ReplaySubject(capacity: .unbounded))
    return Signal(connecting: { sink in
      connection.signal.attach(sink)
      connection.connect()
    })
  }

  @inlinable
  func connected(keeping capacity: ReplayCapacity) -> Signal<Value, Failure> {
    let connection = multicast(ReplaySubject(capacity: capacity))
    connection.connect()
    return connection.signal
  }
}
