// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A pipe with two ends: what is sent into one comes out at the other.
///
/// The leading terminal stands for whoever has a value, the following one for whoever wants to be up to date:
/// subscribing to ``following`` gives the last value that was sent to ``leading``, and then the later ones;
/// subscribing to ``leading`` gives only what is sent to ``following`` from then on. A terminal never hears
/// what was sent to itself.
///
/// A terminal event on either side ends both, and who subscribes later gets it too. Of two that meet, one
/// counts; an error that does not goes to ``UnhandledErrors``. When both terminals are gone, and nobody has a
/// signal of theirs, the subscriptions to them end without an event.
///
/// Each direction is delivered as by a ``ReplaySubject``: serially, on the thread that sends or one that is
/// delivering already. Nothing is buffered beyond that one value, unless sends meet.
///
/// ReactiveObjC: `RACChannel`.
public struct Channel<Value: Sendable, Failure: Error>: Sendable {
  /// The end of whoever has a value: replays nothing.
  public let leading: ChannelTerminal<Value, Failure>
  /// The end of whoever wants to be up to date: replays the last value that was sent to ``leading``.
  public let following: ChannelTerminal<Value, Failure>

  /// A channel through which nothing was sent.
  public init() {
    let (toLeading, toFollowing) = (
      ReplaySubject<Value, Failure>(capacity: 0), ReplaySubject<Value, Failure>(capacity: 1)
    )
    let upstreams = Subscription()
    leading = ChannelTerminal(
      receiving: toLeading.signal,
      sendingTo: ChannelEntrance(toFollowing, endingWith: toLeading, upstreams: upstreams))
    following = ChannelTerminal(
      receiving: toFollowing.signal,
      sendingTo: ChannelEntrance(toLeading, endingWith: toFollowing, upstreams: upstreams))
  }
}

/// One direction of a channel, as its sender sees it.
private final class ChannelEntrance<Value: Sendable, Failure: Error>: ObserverProtocol {
  private let receiver: ReplaySubject<Value, Failure>
  private let opposite: ReplaySubject<Value, Failure>
  /// What feeds the channel, from either side. It ends once: who ended it has ended the channel.
  private let upstreams: Subscription

  init(
    _ receiver: ReplaySubject<Value, Failure>, endingWith opposite: ReplaySubject<Value, Failure>,
    upstreams: Subscription
  ) {
    self.receiver = receiver
    self.opposite = opposite
    self.upstreams = upstreams
  }

  func send(_ value: Value) { receiver.send(value) }

  func terminate(_ completion: Completion<Failure>) {
    guard upstreams.end() else {
      if case .failed(let error) = completion { UnhandledErrors.report(error) }
      return
    }
    receiver.terminate(completion)
    opposite.terminate(completion)
  }

  func adopt(_ subscription: Subscription) { upstreams.adopt(subscription) }
}
