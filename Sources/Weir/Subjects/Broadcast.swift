// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Broadcast
//
// Guarantees: what any number of threads send reaches all subscribers, one event at a time, in one order for
// all, and in the order of subscription within one event. Nobody waits. It is what all hot sources are made
// of; they differ in what they remember of a value before it is delivered, and so in what they do with a new
// subscriber.
//
// Who owns what: the list of the audience is shared with the registrations of subscribers and lives as long
// as one of them; they do not keep the source. The list owns the handlers, and those their subscriptions,
// which own the registrations: disposal breaks that circle, and releasing the source disposes.
//
// Invariants:
//  1. Memory and `completion` are changed by the holder of the turn only. A value is remembered before it is
//     delivered.
//  2. `completion` is written once, before the memory is sealed and the list is closed; it is read by the
//     holder of the turn, and by those who found one or the other.
//  3. Nothing is remembered after that, and nobody is listed any more.
//  4. Who gets a value gets all that are delivered after it. A value that waits has a limit, a stamp of the
//     turn: it goes to those with a lower ordinal. Who is listed outside the turn gets an ordinal, then
//     renews the stamps, then is listed: so when a walk finds it, a value with a lower limit has been
//     delivered, or is still in the inbox. Hence a value that goes to its subscribers directly does so after
//     a look at the inbox, and is subject to the limit of the oldest value that waits there.

/// What a hot source remembers of its values. Called by the holder of the turn.
@usableFromInline
protocol BroadcastMemory: Sendable {
  associatedtype Value: Sendable
  /// The ordinals of those who get a value that is sent now, and waits: below this. Where values are replayed
  /// that is everybody, as who comes later gets it either way; otherwise the list tells.
  func limit(in list: SubscriberList) -> UInt64
  /// Takes in a value that is about to be delivered; none any more after ``seal()``.
  func remember(_ value: Value)
  /// There will be no more values.
  func seal()
}

/// Delivers what is sent to everybody who is listed.
@frozen @usableFromInline
struct Broadcast<Memory: BroadcastMemory, Failure: Error>: @unchecked Sendable {
  // Unchecked: the turn, the cell, and the invariants above.
  @usableFromInline typealias Value = Memory.Value

  @frozen @usableFromInline
  enum Event {
    case value(Value)
    case terminal(Completion<Failure>)
    /// Something else that must not be done while an event is being delivered.
    case errand(() -> Void)
  }

  /// What waits for the turn.
  @frozen @usableFromInline
  struct Waiting {
    @usableFromInline let event: Event
    /// A value goes to subscribers with an ordinal below this: the others came after it was sent.
    @usableFromInline var limit = UInt64.max

    @inlinable
    init(_ event: consuming Event) { self.event = event }
  }

  @usableFromInline let memory: Memory
  @usableFromInline let audience: Audience<Value, Failure>
  /// Its token is the walker's hazard.
  @usableFromInline let turn: BiasedTurn<Waiting>

  @inlinable
  init(remembering memory: Memory) {
    self.memory = memory
    audience = Audience()
    turn = BiasedTurn(words: audience.list.turnWords)
  }

  @inlinable @inline(__always) var list: SubscriberList { audience.list }
  @inlinable @inline(__always) var subscribers: SnapshotWalker { audience.walker }

  /// Delivers a value, or queues it behind the event under way. What is rare is kept out of the way, so that
  /// the rest is small enough to be inlined.
  @inlinable @inline(__always)
  func send(_ value: Value) {
    let seen = subscribers.current
    guard turn.enter(as: seen.bits | 1) else { return post(value) }
    memory.remember(value)
    let slots = subscribers.slots(of: subscribers.validated(seen))
    if turn.newest == 0 { audience.deliver(value, to: slots) } else { deliverBelowLimit(value, to: slots) }
    turn.leave()
    if subscribers.hasRetired || turn.isWaiting { settle() }
  }

  @inlinable @inline(never)
  func post(_ value: Value) {
    turn.post(Waiting(.value(value))) { $0.limit = memory.limit(in: list) }
    settle()
  }

  /// After the turn: reclaims what waited for it, and delivers what has been posted.
  @inlinable @inline(never)
  func settle() {
    if subscribers.hasRetired { list.cell.scavenge() }
    if turn.isWaiting { deliverWaiting() }
  }

  /// Ends the source: its own subscriptions first, then its subscribers in order.
  @inlinable
  func terminate(_ completion: Completion<Failure>) {
    list.disposeUpstreams()
    perform(orPost: .terminal(completion)) { finish(completion) }
  }

  /// Does something between two events: now, or after the event under way, and what waits already.
  @inlinable @inline(__always)
  func perform(_ errand: @escaping () -> Void) { perform(orPost: .errand(errand), errand) }

  @inlinable @inline(__always)
  func perform(orPost event: @autoclosure () -> Event, _ errand: () -> Void) {
    perform(errand) { turn.post(Waiting(event())) }
  }

  /// - Parameter post: called instead if the turn is taken, or something waits for it.
  @inlinable @inline(__always)
  func perform(_ errand: () -> Void, orElse post: () -> Void) {
    if turn.enter(as: 1) {
      errand()
      turn.leave()
    } else {
      post()
    }
    settle()
  }

  /// Does something after all that was sent before: at once and outside of the turn, if that has been
  /// delivered, so that what the errand sends is delivered in it; otherwise in the turn, behind that. Who
  /// waits there to be let in, and lacks some of that, is let in first: the errand may be the end of them.
  @inlinable
  func afterEvents(_ errand: @escaping () -> Void) {
    // Whoever got in between may go on sending; then the errand has a place among what waits.
    if turn.passThrough(as: 1), !turn.isWaiting {
      if subscribers.hasRetired { list.cell.scavenge() }
      errand()
    } else {
      turn.post(
        Waiting(
          .errand { [list = list] in
            list.letInAll()
            errand()
          }))
      settle()
    }
  }

  /// Gives a subscriber its place behind all others, or tells it the end.
  @inlinable @inline(__always)
  func enlist(_ sink: consuming Sink<Value, Failure>) {
    // A turn of whatever, as the stamps do not depend on what waits: code for all types need not ask for this
    // one.
    let turn = list.turn
    audience.enlist(consume sink) { turn.renewStamps() }
  }

  /// For the owner's deinit: nobody can send any more, so all subscriptions end. No event is sent.
  @inlinable @inline(__always)
  func destroy() {
    list.endAll()
    // Asked without the types, which are needed for what waits only.
    if list.turn.hasBeenPostedTo { turn.destroy() }
  }
}

// For the holder of the turn.
extension Broadcast {
  /// Remembers a value and delivers it to everybody who is listed now.
  @inlinable
  func deliver(_ value: Value) {
    memory.remember(value)
    audience.deliver(value, to: subscribers.slots(of: subscribers.protectCurrent()))
  }

  /// Something was posted while the caller had the turn and had not found its subscribers yet: those who came
  /// after that get neither.
  @inlinable @inline(never)
  func deliverBelowLimit(_ value: Value, to slots: UnsafeBufferPointer<UInt64>) {
    var limit = UInt64.max
    turn.lookAtWaiting { limit = min(limit, $0.limit) }
    deliver(value, to: slots, below: limit)
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value, to slots: UnsafeBufferPointer<UInt64>, below limit: UInt64) {
    subscribers.walk(slots) { entry in
      if entry.ordinal.pointee < limit { audience.handler(entry).next(value) }
    }
  }

  @inlinable @inline(never)
  func deliverWaiting() {
    turn.deliverWaiting(as: 1) { waiting in
      if subscribers.hasRetired { list.cell.reclaimBetweenWalks() }
      switch waiting.event {
      case .value(let value):
        memory.remember(value)
        deliver(value, to: subscribers.slots(of: subscribers.protectCurrent()), below: waiting.limit)
      case .terminal(let completion): finish(completion)
      case .errand(let errand): errand()
      }
    }
    if subscribers.hasRetired { list.cell.scavenge() }
  }

  /// Seals the source and tells everybody, also those who came after this event was sent.
  @inlinable
  func finish(_ completion: Completion<Failure>) {
    if audience.completion.value != nil {
      if case .failed(let error) = completion { UnhandledErrors.report(error) }
      return
    }
    audience.completion.store(completion)
    memory.seal()
    audience.tellEnd()
  }
}

/// The memory of a source that has none.
@frozen @usableFromInline
struct NoMemory<Value: Sendable>: BroadcastMemory {
  @inlinable init() {}
  @inlinable func limit(in list: SubscriberList) -> UInt64 { list.cell.nextOrdinal }
  @inlinable @inline(__always) func remember(_ value: Value) {}
  @inlinable func seal() {}
}
