// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A subject that always has a value: a subscriber gets that value, and then those that are sent from then
/// on.
///
/// It is a ``ReplaySubject`` of capacity 1 that is never without history, and whose value can be read: see
/// there for threads, order and cost. Values sent while a newcomer is still busy with the value that is
/// replayed to it are kept for that newcomer, however many they are. The value is that of the event that was
/// delivered last, or is being delivered. A send or a change that finds an event under way is queued, and
/// seen in ``value`` when its turn comes; nothing is skipped. Where every reader must see what was just set,
/// and subscribers need only the newest value, use ``MutableProperty``.
///
/// A subscriber that comes after the terminal event gets the last value, and then that event. Releasing the
/// subject ends all subscriptions without a terminal event.
///
/// ReactiveObjC: `RACBehaviorSubject`, which forgets that it has ended.
public final class CurrentValue<Value: Sendable, Failure: Error>: ObserverProtocol, SignalConvertible {
  @usableFromInline let core: Broadcast<ReplayMemory<Value>, Failure>

  /// A subject with a first value.
  ///
  /// ReactiveObjC: `+behaviorSubjectWithDefaultValue:`.
  @inlinable
  public init(_ value: Value) {
    core = Broadcast(remembering: ReplayMemory(1))
    core.memory.remember(value)
  }

  deinit {
    core.destroy()
    core.memory.destroy()
  }

  /// The value that was delivered last; inside a delivery, already the one that is being delivered. From any
  /// thread, without waiting; a value is read as a whole. It cannot be set: see ``send(_:)`` and
  /// ``modify(_:)``.
  ///
  /// One load for values of up to eight bytes that hold no references; two read-modify-writes and a copy for
  /// others. Values of the second kind that are replaced while a thread reads one are released with the first
  /// event after that, or when the next subscriber comes, and with the subject if it has ended: a reader
  /// never delivers what others send.
  @inlinable public var value: Value {
    defer { _fixLifetime(self) }
    return core.memory.log.readNewest()
  }

  /// The value, and then the events sent. It retains the subject.
  @inlinable @inline(__always) public var signal: Signal<Value, Failure> {
    Signal(attaching: { [self] sink, _ in attach(sink) })
  }

  /// How many subscribers there are now, for metrics; 0 after the end. From any thread, without waiting;
  /// while subscribers come and go it may be off by as many as do so meanwhile, and so be 0 where one takes
  /// over from another. A new subscriber is counted when it has got the value, and the event under way is
  /// over.
  ///
  /// Each call counts anew, in time proportional to the number of subscribers; nobody else pays for it.
  ///
  /// ReactiveObjC has none.
  public var subscriberCount: Int { withExtendedLifetime(self) { core.list.subscriberCount } }

  /// Sends a subscriber the value, and then adds it behind all others.
  ///
  /// ReactiveObjC: `-subscribe:`.
  @inlinable @inline(__always)
  public func attach(_ sink: consuming Sink<Value, Failure>) {
    defer { _fixLifetime(self) }
    core.replay(to: sink, from: self)
  }

  /// Makes this the value and delivers it to all subscribers, or queues it behind the event under way. Does
  /// nothing after the end.
  ///
  /// ReactiveObjC: `-sendNext:`.
  @inlinable @inline(__always)
  public func send(_ value: Value) {
    defer { _fixLifetime(self) }
    core.send(value)
  }

  /// Changes the value and delivers it to all subscribers. Does nothing after the end.
  ///
  /// No other value comes between the one that `change` gets and the one that it leaves. If an event is under
  /// way, `change` is queued behind it, and called by the thread that delivers it, perhaps after `modify` has
  /// returned.
  ///
  /// Changing a collection in place copies all of it each time, as the subject still holds the one before: a
  /// table that grows entry by entry takes quadratic time. For remedies, see ``MutableProperty/modify(_:)``.
  ///
  /// - Parameter change: called at most once: not after the end. What it sends to this subject is queued.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public func modify(_ change: @escaping @Sendable (inout Value) -> Void) {
    withExtendedLifetime(self) {
      core.perform { [core] in
        guard !core.memory.log.isSealed else { return }
        var value = core.memory.log.newest
        change(&value)
        core.deliver(value)
      }
    }
  }

  /// Ends the subject: its own subscriptions first, then its subscribers in order. The value stays. After the
  /// end, a failure is reported as unhandled and a completion does nothing.
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

extension CurrentValue: CustomStringConvertible {
  /// The value at this moment, as in `CurrentValue(3)`.
  public var description: String { "CurrentValue(\(value))" }
}
