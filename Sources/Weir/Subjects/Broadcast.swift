// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Broadcast
//
// Guarantees: what any number of threads send reaches all subscribers, one event at a time, in one order for
// all, and in the order of subscription within one event. Nobody waits. All hot sources but
// UnserializedSubject are built on it; they differ in what they remember of a value before it is delivered,
// and so in what they do with a new subscriber.
//
// Ownership: the list of the audience is shared with the registrations of subscribers and lives as long as
// one of them; registrations do not retain the source. The list owns the handlers, the handlers own their
// subscriptions, and these own the registrations: disposal breaks that cycle, and releasing the source
// disposes.
//
// Invariants:
//  1. Memory and `completion` are changed by the holder of the turn only. A value is remembered before it is
//     delivered.
//  2. `completion` is written once, before the memory is sealed and the list is closed; it is read by the
//     holder of the turn, and by threads that found one or the other.
//  3. After that nothing is remembered, and no subscriber is listed any more.
//  4. A subscriber that gets a value gets all that are delivered after it. The ordinal of one that is listed
//     outside the turn is the number of events that were posted before it: it gets none of these. It is read
//     before the subscriber is listed: so when a walk finds it, each of these events has been delivered, or
//     is still in the inbox. Hence a value that is delivered directly is delivered after a check of the
//     inbox, and goes past subscribers that do not get the oldest event pending there. (If so many events are
//     posted while a thread reads the number that it is too low, the subscriber gets some of these, as if it
//     had come before.) One that is listed inside the turn has the ordinal 0: what is pending is news to it.

/// Delivers what is sent to all listed subscribers.
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

  @usableFromInline let memory: Memory
  @usableFromInline let audience: Audience<Value, Failure>
  /// Its token is the walker's hazard.
  @usableFromInline let turn: BiasedTurn<Event>

  @inlinable
  init(remembering memory: Memory) {
    self.memory = memory
    audience = Audience()
    turn = BiasedTurn(words: audience.list.turnWords)
  }

  @inlinable @inline(__always) var list: SubscriberList { audience.list }
  @inlinable @inline(__always) var subscribers: SnapshotWalker { audience.walker }

  /// Whether a subscriber was ever listed: in the first array, or in another one, which was made after the
  /// slot of the first one was sealed. (Or no subscriber was listed, and it is closed or was made anew.)
  @inlinable @inline(__always) var hasListed: Bool { subscribers.firstSlot.load() != SnapshotSlot.empty }

  /// Delivers a value, or queues it behind the event under way. Rare cases have functions of their own, so
  /// that the rest is small enough to be inlined.
  @inlinable @inline(__always)
  func send(_ value: Value) {
    let seen = subscribers.current
    guard turn.enter(as: seen.bits | 1) else { return post(value) }
    memory.remember(value)
    let slots = subscribers.slots(of: subscribers.validated(seen))
    if turn.newest == 0 { audience.deliver(value, to: slots) } else { deliverToOlder(value, in: slots) }
    turn.leave()
    if subscribers.hasRetired || turn.isWaiting { settle() }
  }

  @inlinable @inline(never)
  func post(_ value: Value) {
    turn.post(.value(value))
    settle()
  }

  /// After the turn: reclaims what waited for that, and delivers what has been posted.
  @inlinable @inline(never)
  func settle() {
    if subscribers.hasRetired { list.cell.scavenge() }
    if turn.isWaiting { deliverWaiting() }
  }

  /// Ends the source: its own subscriptions first, then its subscribers in order.
  @inlinable
  func terminate(_ completion: Completion<Failure>) {
    list.endUpstreams()
    perform(orPost: .terminal(completion)) { finish(completion) }
  }

  /// Runs an errand between two events: now, or after the event under way and those already pending.
  @inlinable @inline(__always)
  func perform(_ errand: @escaping () -> Void) { perform(orPost: .errand(errand), errand) }

  @inlinable @inline(__always)
  func perform(orPost event: @autoclosure () -> Event, _ errand: () -> Void) {
    perform(errand) { turn.post(event()) }
  }

  /// - Parameter post: called instead if the turn is taken, or events are pending.
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

  /// Runs an errand after all events sent before: at once and outside of the turn, if these have been
  /// delivered, so that what the errand sends is delivered inside the errand; otherwise in the turn, behind
  /// these. Newcomers that wait there to be let in, and lack some of these, are let in first: the errand may
  /// end them.
  @inlinable
  func afterEvents(_ errand: @escaping () -> Void) {
    // A thread that got in between may go on sending; then the errand has a place among the pending events.
    if turn.passThrough(as: 1), !turn.isWaiting {
      if subscribers.hasRetired { list.cell.scavenge() }
      errand()
    } else {
      turn.post(
        .errand { [list = list] in
          list.letInAll()
          errand()
        })
      settle()
    }
  }

  /// Adds a subscriber behind all others, or sends it the terminal event. It does not get the events that are
  /// waiting now.
  @inlinable @inline(__always)
  func enlist(_ sink: consuming Sink<Value, Failure>) {
    // A turn of any items, as their number does not depend on these: generic code need not ask for the type
    // of this turn.
    audience.enlist(consume sink, ordinal: list.turn.posted(since: list.deliveredCount.loadAcquire()))
  }

  /// For the owner's deinit: nobody can send any more, so all subscriptions end, without a terminal event.
  @inlinable @inline(__always)
  func destroy() {
    list.endAll()
    // Checked without the types, which are needed for pending events only.
    if list.turn.hasBeenPostedTo { turn.destroy() }
  }
}

// For the holder of the turn.
extension Broadcast {
  /// Remembers a value and delivers it to all subscribers that are listed now.
  @inlinable
  func deliver(_ value: Value) {
    memory.remember(value)
    audience.deliver(value, to: subscribers.slots(of: subscribers.protectCurrent()))
  }

  /// Delivers a value when something was posted after the caller took the turn and before it found its
  /// subscribers: subscribers that came after the posting get neither.
  @inlinable @inline(never)
  func deliverToOlder(_ value: Value, in slots: UnsafeBufferPointer<UInt64>) {
    deliver(value, to: slots, upTo: list.deliveredCount.loadRelaxed())
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value, to slots: UnsafeBufferPointer<UInt64>, upTo ordinal: UInt64) {
    subscribers.walk(slots) { entry in
      if entry.ordinal.pointee <= ordinal { audience.route(entry).next(value) }
    }
  }

  @inlinable @inline(never)
  func deliverWaiting() {
    turn.deliverWaiting(as: 1) { event in
      if subscribers.hasRetired { list.cell.reclaimBetweenWalks() }
      let number = list.deliveredCount.loadRelaxed()
      list.deliveredCount.storeRelease(number &+ 1)
      switch event {
      case .value(let value):
        memory.remember(value)
        deliver(value, to: subscribers.slots(of: subscribers.protectCurrent()), upTo: number)
      case .terminal(let completion): finish(completion)
      case .errand(let errand): errand()
      }
    }
    if subscribers.hasRetired { list.cell.scavenge() }
  }

  /// Seals the source and sends the terminal event to all subscribers, also to those that came after it was
  /// sent.
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
