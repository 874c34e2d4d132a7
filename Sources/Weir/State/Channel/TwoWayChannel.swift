// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A pipe with two ends: what is sent into one comes out at the other.
///
/// The leading terminal is for the side that has a value, the following one for the side that wants to be up
/// to date: subscribing to ``following`` gives the last value that was sent to ``leading``, and then the
/// later ones; subscribing to ``leading`` gives only what is sent to ``following`` from then on. A terminal
/// never sends its subscribers what was sent to itself.
///
/// A terminal event on either side ends both; later subscribers get it, too. If two meet, one counts; the
/// error of the other goes to ``UnhandledErrors``. When both terminals have been released, the subscriptions
/// they have adopted end, and, unless somebody holds a signal of theirs, the subscriptions to them end
/// without an event. A signal that is forwarded to a terminal retains the terminal for as long as it runs.
///
/// Each direction is delivered as by a ``ReplaySubject``: serially, on the thread that sends or on one that
/// is already delivering. Nothing is buffered beyond that one value, unless sends meet: then in a queue that
/// is bounded only by memory.
///
/// Not called `Channel`: files of a server often import NIOCore as well, which has a type of that name.
///
/// ReactiveObjC: `RACChannel`.
public struct TwoWayChannel<Value: Sendable, Failure: Error>: Sendable {
  /// The terminal for the side that has a value: replays nothing.
  public let leading: ChannelTerminal<Value, Failure>
  /// The terminal for the side that wants to be up to date: replays the last value that was sent to
  /// ``leading``.
  public let following: ChannelTerminal<Value, Failure>

  /// A channel through which nothing has been sent.
  @inlinable
  public init() {
    let pipes = ChannelPipes<Value, Failure>()
    leading = ChannelTerminal(
      receiving: pipes.toLeading.signal, sendingTo: ChannelEntrance(to: pipes.toFollowing, of: pipes))
    following = ChannelTerminal(
      receiving: pipes.toFollowing.signal, sendingTo: ChannelEntrance(to: pipes.toLeading, of: pipes))
  }
}

/// Both directions of a channel, and the subscriptions that feed them. It is deallocated with the last
/// terminal.
@usableFromInline
final class ChannelPipes<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let toLeading = ReplaySubject<Value, Failure>(capacity: 0)
  @usableFromInline let toFollowing = ReplaySubject<Value, Failure>(capacity: 1)
  /// Ends once: the caller that ended it has ended the channel.
  @usableFromInline let upstreams = Subscription()

  @inlinable init() {}

  deinit { ReleaseQueue().end(upstreams) { $0.end() } }

  /// - Parameter first: ends before the other one.
  @inlinable
  func terminate(_ completion: Completion<Failure>, first: ReplaySubject<Value, Failure>) {
    guard upstreams.end() else {
      if case .failed(let error) = completion { UnhandledErrors.report(error) }
      return
    }
    let second = first === toLeading ? toFollowing : toLeading
    first.terminate(completion)
    // Behind what the first one may still have to deliver.
    first.afterEvents { second.terminate(completion) }
  }
}

/// One direction of a channel, as its sender sees it.
@usableFromInline
final class ChannelEntrance<Value: Sendable, Failure: Error>: ObserverProtocol {
  @usableFromInline let receiver: ReplaySubject<Value, Failure>
  @usableFromInline let pipes: ChannelPipes<Value, Failure>

  @inlinable
  init(to receiver: ReplaySubject<Value, Failure>, of pipes: ChannelPipes<Value, Failure>) {
    self.receiver = receiver
    self.pipes = pipes
  }

  /// The upstreams end first of all: what a subscriber sends while it handles the end comes too late, even if
  /// the other side has yet to get the end.
  @inlinable
  func send(_ value: Value) { if !pipes.upstreams.isDisposed { receiver.send(value) } }

  @inlinable
  func terminate(_ completion: Completion<Failure>) { pipes.terminate(completion, first: receiver) }

  @inlinable
  func adopt(_ subscription: Subscription) { pipes.upstreams.adopt(subscription) }
}
