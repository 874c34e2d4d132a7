// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A pipe with two ends: what is sent into one comes out at the other.
///
/// The leading terminal stands for whoever has a value, the following one for whoever wants to be up to date:
/// subscribing to ``following`` gives the last value that was sent to ``leading``, and then the later ones;
/// subscribing to ``leading`` gives only what is sent to ``following`` from then on. A terminal never hears
/// what was sent to itself.
///
/// A terminal event on either side ends both, and who subscribes later gets it too. Of two that meet, one
/// counts; an error that does not goes to ``UnhandledErrors``. When both terminals are gone, what they have
/// adopted ends, and, unless somebody has a signal of theirs, the subscriptions to them end without an event.
/// A signal that is forwarded to a terminal keeps that for as long as it runs.
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
    let pipes = ChannelPipes<Value, Failure>()
    leading = ChannelTerminal(
      receiving: pipes.toLeading.signal, sendingTo: ChannelEntrance(to: pipes.toFollowing, of: pipes))
    following = ChannelTerminal(
      receiving: pipes.toFollowing.signal, sendingTo: ChannelEntrance(to: pipes.toLeading, of: pipes))
  }
}

/// Both directions of a channel, and what feeds them from either side. It goes with the last terminal.
private final class ChannelPipes<Value: Sendable, Failure: Error>: Sendable {
  let toLeading = ReplaySubject<Value, Failure>(capacity: 0)
  let toFollowing = ReplaySubject<Value, Failure>(capacity: 1)
  /// Ends once: who ended it has ended the channel.
  let upstreams = Subscription()

  deinit { ReleaseQueue().end(upstreams) { $0.dispose() } }

  /// - Parameter first: is told before the other one.
  func terminate(_ completion: Completion<Failure>, first: ReplaySubject<Value, Failure>) {
    guard upstreams.end() else {
      if case .failed(let error) = completion { UnhandledErrors.report(error) }
      return
    }
    first.terminate(completion)
    (first === toLeading ? toFollowing : toLeading).terminate(completion)
  }
}

/// One direction of a channel, as its sender sees it.
private final class ChannelEntrance<Value: Sendable, Failure: Error>: ObserverProtocol {
  private let receiver: ReplaySubject<Value, Failure>
  private let pipes: ChannelPipes<Value, Failure>

  init(to receiver: ReplaySubject<Value, Failure>, of pipes: ChannelPipes<Value, Failure>) {
    self.receiver = receiver
    self.pipes = pipes
  }

  /// The upstreams end first of all: what a subscriber sends when it is told the end comes too late, also
  /// where the other side has yet to be told.
  func send(_ value: Value) { if !pipes.upstreams.isDisposed { receiver.send(value) } }

  func terminate(_ completion: Completion<Failure>) { pipes.terminate(completion, first: receiver) }

  func adopt(_ subscription: Subscription) { pipes.upstreams.adopt(subscription) }
}
