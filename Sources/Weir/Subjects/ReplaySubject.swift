// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A subject that remembers: a subscriber gets the values that were sent before, and then those that are sent
/// from then on.
///
/// Any thread may send, subscribe and dispose at any time; nobody waits. Every subscriber sees the same
/// events in the same order, without gap and without duplicate, whatever is sent while the history is being
/// replayed. See ``Subject`` for the order of concurrent and nested sends.
///
/// Subscribing replays on the subscribing thread, inside `subscribe`, and delays neither senders nor live
/// subscribers; except for its last step, in which the newcomer gets the values that it still lacks and
/// becomes live, between two events. Events sent during that step wait for it, and are then delivered to all
/// subscribers on the newcomer's thread. A value that is sent during the replay, also by the newcomer itself,
/// comes after the history. A newcomer that is slower than the senders becomes live when it stops catching
/// up. If an event is under way at that moment, it becomes live when that is over. A subscriber that comes
/// after the terminal event gets the history, and then that event.
///
/// It keeps the values that its ``ReplayCapacity`` specifies, in a ring that is allocated as it fills: 8
/// bytes for an `Int`, and for values without references up to a kilobyte more, or 15 slots. While a
/// subscriber reads the history, values that expire are kept for it, however many they are; they are released
/// when it is done. Releasing the subject ends all subscriptions without a terminal event.
///
/// Cost: a send costs that of ``Subject`` and a store; once the capacity is full, one more read-modify-write
/// if values hold references, which are released as they expire. It allocates nothing then. A replayed value
/// costs a few nanoseconds.
///
/// ReactiveObjC: `RACReplaySubject`, which replays under a lock.
public final class ReplaySubject<Value: Sendable, Failure: Error>: ObserverProtocol, SignalConvertible {
  @usableFromInline let core: Broadcast<ReplayMemory<Value>, Failure>

  /// A subject without subscribers and without history.
  ///
  /// - Parameter capacity: what is kept for later subscribers: a number of values, as an integer literal or
  ///   ``ReplayCapacity/last(_:)``; ``ReplayCapacity/unbounded``; or an age. With 0 only the terminal event
  ///   is kept.
  ///
  /// ReactiveObjC: `+replaySubjectWithCapacity:`.
  @inlinable
  public init(capacity: ReplayCapacity) { core = Broadcast(remembering: ReplayMemory(capacity)) }

  deinit {
    core.destroy()
    core.memory.destroy()
  }

  /// The history, and then the events sent to the subject. It retains the subject.
  @inlinable @inline(__always) public var signal: Signal<Value, Failure> {
    Signal(attaching: { [self] sink, _ in attach(sink) })
  }

  /// How many subscribers there are now, for metrics; 0 after the end. From any thread, without waiting;
  /// while subscribers come and go it may be off by as many as do so meanwhile, and so be 0 where one takes
  /// over from another. A new subscriber is counted when it has got the history, and the event under way is
  /// over.
  ///
  /// Each call counts anew, in time proportional to the number of subscribers; nobody else pays for it.
  ///
  /// ReactiveObjC has none.
  public var subscriberCount: Int { withExtendedLifetime(self) { core.list.subscriberCount } }

  /// Sends a subscriber the history, and then adds it behind all others.
  ///
  /// ReactiveObjC: `-subscribe:`.
  @inlinable @inline(__always)
  public func attach(_ sink: consuming Sink<Value, Failure>) {
    defer { _fixLifetime(self) }
    core.replay(to: sink, from: self)
  }

  /// Remembers a value and delivers it to all subscribers, or queues it behind the event under way. Does
  /// nothing after the end.
  ///
  /// ReactiveObjC: `-sendNext:`.
  @inlinable @inline(__always)
  public func send(_ value: Value) {
    defer { _fixLifetime(self) }
    core.send(value)
  }

  /// Ends the subject: its own subscriptions first, then its subscribers in order. The history stays. After
  /// the end, a failure is reported as unhandled and a completion does nothing.
  ///
  /// ReactiveObjC: `-sendCompleted` and `-sendError:`.
  @inlinable
  public func terminate(_ completion: Completion<Failure>) {
    withExtendedLifetime(self) { core.terminate(completion) }
  }

  /// Ends `subscription` when a terminal event is accepted, or when the subject is released; at once, if
  /// there was a terminal event already.
  ///
  /// ReactiveObjC: `-didSubscribeWithDisposable:`.
  @inlinable
  public func adopt(_ subscription: Subscription) {
    defer { _fixLifetime(self) }
    core.list.adopt(subscription)
  }
}
