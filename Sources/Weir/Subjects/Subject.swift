// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A hot signal that is fed by hand: what is sent to it goes to all its subscribers.
///
/// Any thread may send, subscribe and dispose at any time; nobody waits. Every subscriber sees the same
/// events in the same order, one at a time, in the order of subscription within one event. A send that finds
/// another one under way, on another thread or further up its own stack, is queued behind it and delivered by
/// the thread that is delivering: `send` may then return before its event was delivered, and may itself
/// deliver events that others sent. The queue has no bound but memory. A sender that met another thread
/// pauses for 1.6 to 6.4 µs before it returns, and past 1,024 queued events yields its time slice instead:
/// that slows it down while the other one sends, but it never waits for anything. A sender that is delivering
/// goes on as long as other threads send faster than the subscribers handle events, without a limit: put
/// ``SignalConvertible/observe(on:_:waiting:failures:)`` before subscribers that are slow.
///
/// A subscriber gets what is sent from then on. If other threads are sending at that moment, its first value
/// may be one whose send had started before; from the first one on, no value is left out. A subscriber that
/// comes after the terminal event gets just that. Nothing is replayed. Releasing the subject ends all
/// subscriptions without a terminal event, in the order of subscription; then their closures are released, in
/// that order, too. A failure that finds no subscriber is kept for later ones, and is not reported.
///
/// Memory for queued events stays with the subject, for the next ones, until it is deallocated.
///
/// Cost: an uncontended send is one *turn* and a call for each subscriber; it allocates nothing and touches
/// no reference count. A turn is two atomic read-modify-writes; or two plain stores, once one thread alone
/// has sent 256 events, until another thread sends or disposes. The first thread that does so pays a
/// microsecond or two, once for this subject. Subscribing and disposing cost the same however many
/// subscribers there are. A subscriber's closures are released as soon as it is disposed, at the latest when
/// the delivery under way at that moment is over.
///
/// ReactiveObjC: `RACSubject`, which does not remember that it has ended, and delivers nested sends depth
/// first.
public final class Subject<Value: Sendable, Failure: Error>: ObserverProtocol, SignalConvertible {
  @usableFromInline let core: Broadcast<NoMemory<Value>, Failure>

  /// A subject without subscribers.
  ///
  /// ReactiveObjC: `+subject`.
  @inlinable
  public init() { core = Broadcast(remembering: NoMemory()) }

  deinit { core.destroy() }

  /// The events sent to the subject. It retains the subject.
  @inlinable @inline(__always) public var signal: Signal<Value, Failure> {
    Signal(attaching: { [self] sink, _ in attach(consume sink) })
  }

  /// How many subscribers there are now, for metrics; 0 after the end. From any thread, without waiting;
  /// while subscribers come and go it may be off by as many as do so meanwhile, and so be 0 where one takes
  /// over from another.
  ///
  /// Each call counts anew, in time proportional to the number of subscribers; nobody else pays for it.
  ///
  /// ReactiveObjC has none.
  public var subscriberCount: Int { withExtendedLifetime(self) { core.list.subscriberCount } }

  /// Adds a subscriber behind all others.
  ///
  /// ReactiveObjC: `-subscribe:`.
  @inlinable @inline(__always)
  public func attach(_ sink: consuming Sink<Value, Failure>) {
    // Released earlier, the subject would end in the middle of this; hence the fixed lifetime, here and
    // below.
    defer { _fixLifetime(self) }
    core.enlist(consume sink)
  }

  /// Delivers a value to all subscribers, or queues it behind the event under way. Does nothing after the
  /// end.
  ///
  /// A call that delivers returns when nothing is queued any more, including what other threads have sent
  /// meanwhile: it has no limit.
  ///
  /// ReactiveObjC: `-sendNext:`.
  @inlinable @inline(__always)
  public func send(_ value: Value) {
    defer { _fixLifetime(self) }
    core.send(value)
  }

  /// Ends the subject: its own subscriptions first, then its subscribers in order. After the end, a failure
  /// is reported as unhandled and a completion does nothing.
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
