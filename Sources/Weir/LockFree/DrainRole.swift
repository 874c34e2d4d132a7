// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Drain role
//
// Guarantees: a queue that is filled by one side has one consumer at a time, on any thread; the producer
// learns when one has to be scheduled, which is once for each time that the queue was empty; the thread that
// ends the queue learns whether the consumer will clean up, or it has to do so itself. Nobody waits.
//
// State: one word, [ended: 1 | cut: 1 | role: 2]. The role is
//
//     idle ──▶ scheduled ──▶ draining ──▶ idle, or scheduled again
//
// `cut` says that pending values are to be dropped, and the terminal event delivered; `ended` says that
// nothing is to be delivered.
//
// Invariants:
//  1. The thread that has set `draining` is the consumer until it clears that. Everything that the queue owns
//     belongs to the consumer.
//  2. From `scheduled`, either the scheduled drain becomes the consumer, or a thread that ends the queue
//     first; then the drain finds no `scheduled` and does nothing.
//  3. No value is forgotten: the producer appends, then loads the role; a consumer gives the role up, then
//     checks the queue. At least one of them sees the other's write.
//  4. A consumer gives the role up by a compare-exchange, which fails if a flag was set meanwhile. So it sees
//     each flag that is set before it leaves, and a thread that sets one later sees that nobody drains.
//
// Orderings: invariant 3 is store buffering, hence sequentially consistent accesses. Each consumer sees all
// that the consumer before it did.

/// Which thread consumes a queue.
@frozen @usableFromInline
struct DrainRole: Sendable {
  @inlinable static var idle: UInt64 { 0 }
  @inlinable static var scheduled: UInt64 { 1 }
  @inlinable static var draining: UInt64 { 2 }
  @inlinable static var role: UInt64 { 3 }
  @inlinable static var cut: UInt64 { 4 }
  @inlinable static var ended: UInt64 { 8 }

  @usableFromInline let word: AtomicWord
  /// - Parameter word: initially zero.
  @inlinable init(_ word: AtomicWord) { self.word = word }

  @inlinable @inline(__always) var isIdle: Bool { word.load() & Self.role == Self.idle }
  @inlinable var isCut: Bool { word.load() & Self.cut != 0 }
  @inlinable var isEnded: Bool { word.load() & Self.ended != 0 }
  /// For the consumer, before each value: whether a flag was set.
  @inlinable @inline(__always) var isInterrupted: Bool { word.load() != Self.draining }

  /// What the producer has to do after it has appended.
  @usableFromInline enum Request { case nothing, schedule, cleanUp }

  @usableFromInline
  func request() -> Request {
    while true {
      let state = word.load()
      if state & Self.role != Self.idle { return .nothing }
      let isEnded = state & Self.ended != 0
      if word.compareExchange(state, state | (isEnded ? Self.draining : Self.scheduled)) {
        return isEnded ? .cleanUp : .schedule
      }
    }
  }

  /// Becomes the consumer, for a drain that was scheduled. False if there is nothing to do.
  @usableFromInline
  func begin() -> Bool {
    while true {
      let state = word.load()
      if state & Self.role != Self.scheduled { return false }
      if word.compareExchange(state, state - Self.scheduled + Self.draining) { return true }
    }
  }

  /// Becomes the consumer without being scheduled. False if there is a consumer, or one is scheduled, or a
  /// flag is set.
  @inlinable @inline(__always)
  func enter() -> Bool { word.loadRelaxed() == Self.idle && word.compareExchange(Self.idle, Self.draining) }

  /// Gives the role up; the caller then checks the queue. False if a flag was set: it stays the consumer.
  @inlinable @inline(__always)
  func leave() -> Bool { word.compareExchange(Self.draining, Self.idle) }

  /// Gives the role up to a drain that the caller schedules. False if a flag was set: it stays the consumer.
  func leaveScheduled() -> Bool { word.compareExchange(Self.draining, Self.scheduled) }

  /// Has pending values dropped, and the terminal event delivered. Followed by `request`.
  @usableFromInline
  func setCut() { word.formUnion(Self.cut) }

  /// What a thread that ends the queue finds.
  @usableFromInline enum End {
    /// It was ended before.
    case before
    /// There is a consumer, which will clean up.
    case consumed
    /// The caller is the consumer now, and has to clean up; no drain was scheduled.
    case idle
    /// The same, but a drain was scheduled, which will find nothing to do.
    case scheduled

    /// Whether the caller has to clean up.
    @usableFromInline var isConsumer: Bool {
      switch self {
      case .before, .consumed: false
      case .idle, .scheduled: true
      }
    }
  }

  /// Ends the queue.
  @usableFromInline
  func end() -> End {
    while true {
      let state = word.load()
      if state & Self.ended != 0 { return .before }
      if word.compareExchange(state, (state & Self.cut) | Self.ended | Self.draining) {
        switch state & Self.role {
        case Self.idle: return .idle
        case Self.scheduled: return .scheduled
        default: return .consumed
        }
      }
    }
  }

  /// Gives up the role in a queue that was ended; the caller then checks it once more.
  @usableFromInline
  func leaveEnded() { _ = word.exchange(Self.ended) }

  /// Becomes the consumer of a queue that was ended, to clean up once more.
  func enterEnded() -> Bool { word.compareExchange(Self.ended, Self.ended | Self.draining) }
}
