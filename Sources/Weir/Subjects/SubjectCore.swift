// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What is behind a subject: a delivery turn over a list of subscribers.
///
/// The handle (``Subject``) owns the core, the core owns the list, and so do the registrations in the subscriptions; the
/// list owns handlers, which own the subscriptions. Disposal breaks that circle, and releasing the handle disposes.
@usableFromInline
final class SubjectCore<Value, Failure: Error>: @unchecked Sendable {  // by the turn and the cell; `completion` see below
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

  @usableFromInline let list: SubscriberList
  @usableFromInline let subscribers: SnapshotCell
  @usableFromInline let turn: DeliveryTurn<Posted>
  let upstreams = Subscription()
  /// Written once, by the holder of the turn, before the list is closed; read by those who found it closed.
  @exclusivity(unchecked) private var completion: Completion<Failure>?

  init() {
    precondition(MemoryLayout<Handler<Value, Failure>>.size <= SnapshotEntry.payloadSize)
    list = SubscriberList { $0.assumingMemoryBound(to: Handler<Value, Failure>.self).deinitialize(count: 1) }
    subscribers = list.cell
    turn = DeliveryTurn(words: list.turnWords)
  }

  deinit { turn.destroy() }

  @inlinable @inline(__always)
  func handler(_ payload: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Handler<Value, Failure>> {
    payload.assumingMemoryBound(to: Handler<Value, Failure>.self)
  }

  // MARK: Sending

  @inlinable @inline(__always)
  func send(_ value: Value) {
    let seen = subscribers.cell.currentBlock()
    if turn.enter(as: seen.bits | 1) {
      deliver(value, before: .max)
      turn.leave()
      subscribers.settle()
    } else {
      turn.post(Posted(.next(value), limit: subscribers.nextOrdinal))
    }
    if turn.isWaiting { deliverWaiting() }
  }

  func terminate(_ completion: Completion<Failure>) {
    upstreams.dispose()
    if turn.enter(as: 1) {
      finish(completion)
      turn.leave()
      subscribers.settle()
    } else {
      turn.post(Posted(Event(completion), limit: .max))
    }
    if turn.isWaiting { deliverWaiting() }
  }

  @inlinable
  func deliverWaiting() {
    turn.deliverWaiting(as: 1) { posted in
      subscribers.settleBetweenWalks()
      if case .next(let value) = posted.event {
        deliver(value, before: posted.limit)
      } else if let completion = posted.event.completion {
        finish(completion)
      }
    }
    subscribers.settle()
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value, before limit: UInt64) {
    subscribers.walk(subscribers.protectCurrent(), before: limit) { handler($0).pointee.next(value) }
  }

  /// For the holder of the turn: seals the subject and tells everybody, also those who came after this event was sent.
  @usableFromInline
  func finish(_ completion: Completion<Failure>) {
    if subscribers.protectCurrent().payload.pointee.isClosed { return }
    self.completion = completion
    guard let last = subscribers.close() else { return }
    subscribers.protect(last)
    subscribers.walk(last, before: .max) { handler($0).pointee.terminate(completion) }
    subscribers.unpin(last)
  }

  // MARK: Subscribing

  @inlinable
  func attach(_ sink: Sink<Value, Failure>) {
    let entry = subscribers.makeEntry()
    handler(entry.payload).initialize(to: Handler(sink))
    if subscribers.append(entry) {
      sink.subscription.list.add(.subscriber(entry, list))
    } else {
      refuse(sink)
    }
  }

  @usableFromInline
  func refuse(_ sink: Sink<Value, Failure>) {
    if let completion { sink.terminate(completion) } else { sink.subscription.dispose() }
  }

  /// The handle is gone: nobody can send any more, so all subscriptions end. No event is sent.
  func abandon() {
    upstreams.dispose()
    guard let last = subscribers.close() else { return }
    // Nobody else can have the turn; taking it keeps the handlers while they are walked.
    subscribers.protect(last)
    subscribers.walk(last, before: .max) { handler($0).pointee.subscription.dispose() }
    subscribers.unpin(last)
    turn.leave()
    subscribers.settle()
  }
}
