// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// A list that only one thread at a time walks needs no turn: no other thread competes for it. What is left is
// the hazard, from which threads that dispose learn what is being walked. Publishing it with a plain store,
// and having the disposing thread run a fence on all processors, moves the cost from each event to each
// disposal (HazardFence). Where the system has no such fence, and in builds for sanitizers, publishing is a
// read-modify-write.

/// A hot signal for a single producer: what is sent to it goes to all its subscribers, at the cost of the
/// calls.
///
/// It is a ``Subject`` without the part that serializes senders, for a source that is serial already: a
/// thread that reads a socket, a serial scheduler, the callback of an operator. **Events must not overlap**:
/// ``send(_:)`` and the terminal events are called by one thread at a time, each call after the one before
/// has returned, and never from inside a subscriber of this subject. An overlap traps in debug builds (one of
/// two threads may be missed) and is undefined behaviour in others, such as a use after free; where you
/// cannot rule it out, use ``Subject``. So the type is `@unsafe`: with `-strict-memory-safety` the compiler
/// asks for `unsafe` where it is used.
///
/// Everything else is as with ``Subject``. Any thread may subscribe and dispose at any time; nobody waits.
/// Every subscriber sees the same events in the same order, in the order of subscription within one event, on
/// the thread that sends. A subscriber gets what is sent from then on, and after the terminal event just
/// that. Nothing is buffered. Releasing the subject ends all subscriptions without a terminal event. A
/// subscriber's closures are released as soon as it is disposed, at the latest when the event under way is
/// over.
///
/// Cost: a send is two plain stores and a call for each subscriber; it allocates nothing and touches no
/// reference count. A send of a ``Subject`` to which one thread alone sends costs the same, within a
/// nanosecond. This one stays as cheap when its producer changes threads, as work of a serial scheduler does.
/// Disposing costs a system call, one or two microseconds, so that sending needs no fence: if subscribers
/// change with every event, use ``Subject``.
///
/// ReactiveObjC: `RACSubject` does not serialize its senders either.
@unsafe
public final class UnserializedSubject<Value: Sendable, Failure: Error>: ObserverProtocol, SignalConvertible {
  @usableFromInline let audience: Audience<Value, Failure>
  @usableFromInline let fence: HazardFence

  /// A subject without subscribers.
  ///
  /// ReactiveObjC: `+subject`.
  @inlinable
  public init() {
    fence = weir_has_process_fence() ? .ofReclaimer : .ofWalker
    audience = Audience(fence: fence)
  }

  deinit { audience.list.endAll() }

  /// The events sent to the subject. It retains the subject.
  @inlinable @inline(__always) public var signal: Signal<Value, Failure> {
    Signal(attaching: { [self] sink, _ in attach(sink) })
  }

  /// How many subscribers there are now, for metrics; 0 after the end. From any thread, without waiting;
  /// while subscribers come and go it may be off by as many as do so meanwhile, and so be 0 where one takes
  /// over from another.
  ///
  /// Each call counts anew, in time proportional to the number of subscribers; nobody else pays for it.
  ///
  /// ReactiveObjC has none.
  public var subscriberCount: Int { withExtendedLifetime(self) { audience.list.subscriberCount } }

  /// Adds a subscriber behind all others.
  ///
  /// ReactiveObjC: `-subscribe:`.
  @inlinable @inline(__always)
  public func attach(_ sink: consuming Sink<Value, Failure>) {
    defer { _fixLifetime(self) }
    audience.enlist(sink)
  }

  /// Delivers a value to all subscribers, on the calling thread. Does nothing after the end.
  ///
  /// - Precondition: no other event of this subject is being sent.
  ///
  /// ReactiveObjC: `-sendNext:`.
  @inlinable @inline(__always)
  public func send(_ value: Value) {
    defer { _fixLifetime(self) }
    assert(
      isAlone, "weir: UnserializedSubject: an event was sent while another one was under way; use Subject")
    audience.deliver(value, to: audience.walker.slots(of: audience.walker.beginAlone(fence)))
    audience.walker.endAlone(fence)
    if audience.walker.hasRetired { audience.list.cell.scavenge() }
  }

  /// Ends the subject: its own subscriptions first, then its subscribers in order. After the end, a failure
  /// is reported as unhandled and a completion does nothing.
  ///
  /// - Precondition: no other event of this subject is being sent.
  ///
  /// ReactiveObjC: `-sendCompleted` and `-sendError:`.
  @inlinable
  public func terminate(_ completion: Completion<Failure>) {
    withExtendedLifetime(self) {
      audience.list.endUpstreams()
      assert(isAlone, "weir: UnserializedSubject: ended while an event was under way; use Subject")
      if audience.completion.value == nil {
        audience.completion.store(completion)
        _ = audience.walker.beginAlone(fence)
        audience.tellEnd()
        audience.walker.endAlone(fence)
        if audience.walker.hasRetired { audience.list.cell.scavenge() }
      } else if case .failed(let error) = completion {
        UnhandledErrors.report(error)
      }
    }
  }

  /// Ends `subscription` when a terminal event is accepted, or when the subject is released; at once, if
  /// there was a terminal event already.
  ///
  /// ReactiveObjC: `-didSubscribeWithDisposable:`.
  @inlinable
  public func adopt(_ subscription: Subscription) {
    defer { _fixLifetime(self) }
    audience.list.adopt(subscription)
  }

  @inlinable var isAlone: Bool { audience.walker.hazard.loadRelaxed() == 0 }
}
