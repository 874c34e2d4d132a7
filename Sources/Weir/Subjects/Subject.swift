// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A hot signal that is fed by hand: what is sent to it goes to everybody who is subscribed.
///
/// Any thread may send, subscribe and dispose at any time; nobody waits. Every subscriber sees the same events in the same
/// order, one at a time, in the order of subscription within one event. A send that finds another one under way, on
/// another thread or further up its own stack, is queued behind it and delivered by whoever is delivering: `send` may then
/// return before its event was delivered, and may itself deliver events that others sent. The queue has no bound but memory.
/// A sender that met another thread pauses for a microsecond or two before it returns, and past 1,024 waiting events yields its
/// time slice instead: that slows it down a little, and never waits for anything.
///
/// Who subscribes gets what is sent from then on. A subscriber that comes after the terminal event gets just that. Nothing
/// is replayed. Releasing the subject ends all subscriptions without an event.
///
/// Cost: an uncontended send is two read-modify-writes and a call for each subscriber; it allocates nothing and touches no
/// reference count. Subscribing and disposing cost the same however many subscribers there are. A subscriber's closures
/// are released as soon as it is disposed, at the latest when the delivery under way at that moment is over.
///
/// ReactiveObjC: `RACSubject`, which does not remember that it has ended, and delivers nested sends depth first.
public final class Subject<Value: Sendable, Failure: Error>: ObserverProtocol, SignalConvertible,
  @unchecked Sendable
{
  // Sendable by the turn and the cell; `completion` see below.

  /// An event that waits for the turn. Subscribers with an ordinal of `limit` or more came after it was sent.
  @frozen @usableFromInline
  struct Posted {
    @usableFromInline let event: Event<Value, Failure>
    @usableFromInline let limit: UInt64
    @inlinable init(_ event: Event<Value, Failure>, limit: UInt64) {
      self.event = event
      self.limit = limit
    }
  }

  /// The list is shared with the registrations of subscribers and lives as long as one of them; they do not keep the
  /// subject. The list owns the handlers, and those their subscriptions, which own the registrations: disposal breaks
  /// that circle, and releasing the subject disposes.
  @usableFromInline let list: SubscriberList
  @usableFromInline let subscribers: SnapshotWalker
  /// Its token is the walker's hazard.
  @usableFromInline let turn: DeliveryTurn<Posted>
  private let upstreams = Subscription()
  /// Written once, by the holder of the turn, before the list is closed; read by those who found it closed.
  @exclusivity(unchecked) private var completion: Completion<Failure>?

  /// A subject without subscribers.
  public init() {
    precondition(MemoryLayout<Handler<Value, Failure>>.size <= SnapshotEntry.payloadSize)
    list = SubscriberList(destroyPayload: destroyHandler)
    subscribers = SnapshotWalker(list.cell.hot)
    turn = DeliveryTurn(words: list.turnWords)
  }

  deinit {
    abandon()
    turn.destroy()
  }

  /// The events sent to the subject. It keeps the subject.
  @inlinable public var signal: Signal<Value, Failure> {
    @inline(__always) get { Signal(connecting: { [self] sink in attach(sink) }) }
  }

  /// Delivers a value to all subscribers, or queues it behind the event under way. Does nothing after the end.
  @inlinable
  public func send(_ value: Value) {
    // Released earlier, the subject would end before it has delivered; hence the fixed lifetime, here and below.
    defer { _fixLifetime(self) }
    let seen = subscribers.current
    if turn.enter(as: seen.bits | 1) {
      deliver(value, to: subscribers.validated(seen))
      turn.leave()
      if subscribers.hasRetired { list.cell.scavenge() }
    } else {
      turn.post(Posted(.next(value), limit: list.cell.nextOrdinal))
    }
    if turn.isWaiting { deliverWaiting() }
  }

  /// Ends the subject: its own subscriptions first, then its subscribers in order. Does nothing after the end.
  public func terminate(_ completion: Completion<Failure>) {
    defer { _fixLifetime(self) }
    upstreams.dispose()
    if turn.enter(as: 1) {
      finish(completion)
      turn.leave()
      if subscribers.hasRetired { list.cell.scavenge() }
    } else {
      turn.post(Posted(Event(completion), limit: .max))
    }
    if turn.isWaiting { deliverWaiting() }
  }

  /// Has `subscription` end when a terminal event was taken; at once, if it was already.
  public func adopt(_ subscription: Subscription) { upstreams.adopt(subscription) }
}

extension Subject {
  @inlinable @inline(__always)
  func handler(_ entry: SnapshotEntry) -> UnsafeMutablePointer<Handler<Value, Failure>> {
    entry.payload.assumingMemoryBound(to: Handler<Value, Failure>.self)
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value, to block: PinnedBlock<SnapshotSlots>) {
    let slots = subscribers.slots(of: block)
    if slots.count == 1, let slot = slots.baseAddress {
      if let entry = subscribers.entry(in: slot) { handler(entry).pointee.next(value) }
    } else {
      deliverToAll(value, of: block)
    }
  }

  /// The loop stands in a function of its own, so that all it needs stays in registers across the calls.
  @inlinable @inline(never)
  func deliverToAll(_ value: Value, of block: PinnedBlock<SnapshotSlots>) {
    subscribers.walk(block) { handler($0).pointee.next(value) }
  }

  @inlinable
  func deliverWaiting() {
    turn.deliverWaiting(as: 1) { posted in
      if subscribers.hasRetired { list.cell.reclaimBetweenWalks() }
      if case .next(let value) = posted.event {
        subscribers.walk(subscribers.protectCurrent()) { entry in
          if entry.ordinal.pointee < posted.limit { handler(entry).pointee.next(value) }
        }
      } else if let completion = posted.event.completion {
        finish(completion)
      }
    }
    if subscribers.hasRetired { list.cell.scavenge() }
  }

  /// For the holder of the turn: seals the subject and tells everybody, also those who came after this event was sent.
  @usableFromInline
  func finish(_ completion: Completion<Failure>) {
    if subscribers.protectCurrent().payload.pointee.isClosed {
      if case .failed(let error) = completion { UnhandledErrors.report(error) }
      return
    }
    self.completion = completion
    guard let last = list.cell.close() else { return }
    subscribers.protect(last)
    subscribers.walk(last) { handler($0).pointee.terminate(completion) }
    list.cell.unpin(last)
  }

  @inlinable
  func attach(_ sink: Sink<Value, Failure>) {
    let entry = list.cell.makeEntry()
    handler(entry).initialize(to: Handler(sink))
    if list.cell.append(entry) {
      sink.subscription.list.add(.subscriber(entry, list))
    } else {
      refuse(sink)
    }
  }

  @usableFromInline
  func refuse(_ sink: Sink<Value, Failure>) {
    if let completion { sink.terminate(completion) } else { sink.subscription.dispose() }
  }

  /// The subject is being released: nobody can send any more, so all subscriptions end. No event is sent.
  private func abandon() {
    upstreams.dispose()
    guard let last = list.cell.close() else { return }
    // Nobody else can have the turn; taking it keeps the handlers while they are walked.
    subscribers.protect(last)
    subscribers.walk(last) { handler($0).pointee.subscription.dispose() }
    list.cell.unpin(last)
    turn.leave()
    if subscribers.hasRetired { list.cell.scavenge() }
  }
}
