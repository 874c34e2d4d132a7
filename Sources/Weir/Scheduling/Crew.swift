// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Crew
//
// What the workers of a pool are doing, and the phase of the pool, in one word: every decision about waking,
// parking and ending is one compare-exchange of that word, and the functions below are what it decides.
//
// The word is [searching: 10 | busy: 11 | sleeping: 11 | called: 11 | lingering: 10 | phase: 2]. Each worker
// that has not ended is counted once:
//  - searching: awake, looking for work or about to look; those that look from inside a piece of work are
//    also counted as lingering;
//  - busy: running work, or about to take the next piece;
//  - sleeping: parked, or about to park; it looks at the queue once more after it was counted here;
//  - called: a sleeping worker has been woken; any may respond: the first that notices goes searching.
//
// Invariant: work in the queue is not slept through. A thread that adds work looks at the word afterwards: if
// a worker is searching or called, that one will look at the queue later; if not, the thread calls one. A
// worker that leaves the search, to run or to sleep, looks at the queue after that; if it was the last and
// there is work, it calls another, or goes on searching. A worker that lingered in vain looks later, since it
// returns to the queue at once and takes the work there: before it releases its piece of work, if that may
// take long, and again when it has taken the next.
//
// Invariant: work that was added before the closing is not left behind. A worker ends, or ends the shutdown,
// only after a search that it has started in the closing phase: so it looks at the queue when all of that
// work is there. A worker that has worked or searched until then searches once more.
//
// Invariant: a worker that runs work after the end was at work at the end, and takes no more than one piece
// after that, which it was about to take. So each piece that was queued or running at the end is in the
// report: abandoned by the thread that has ended the shutdown, or with the worker that has it. What is added
// later is abandoned by that thread, until it has counted, and then by the thread that has added it.
//
// A worker that is not sleeping owns a reference to its pool: so the pool lives while there is work, and is
// deallocated when nothing else retains it and all workers sleep. The thread that calls a worker adds the
// reference for it.

/// The state of a pool's workers.
struct Crew: PackedWord {
  var bits: UInt64

  /// The phase of a pool's life.
  enum Phase: UInt64 {
    case open
    /// Takes no more work; a worker ends when there is none.
    case closing
    /// Work that has not started is abandoned.
    case ended
    /// The pool is being deallocated, and there is no work. Workers own no reference.
    case released
  }

  static let limit = (1 << 10) - 1

  private func field(at shift: UInt64, _ width: UInt64) -> Int { Int((bits >> shift) & ((1 << width) - 1)) }
  private mutating func add(_ amount: Int, at shift: UInt64) {
    bits = bits &+ (UInt64(bitPattern: Int64(amount)) << shift)
  }

  var phase: Phase {
    get { Phase(rawValue: bits & 3).unsafelyUnwrapped }
    set { bits = bits & ~3 | newValue.rawValue }
  }
  var lingering: Int {
    get { field(at: 2, 10) }
    set { add(newValue - lingering, at: 2) }
  }
  var called: Int {
    get { field(at: 12, 11) }
    set { add(newValue - called, at: 12) }
  }
  var sleeping: Int {
    get { field(at: 23, 11) }
    set { add(newValue - sleeping, at: 23) }
  }
  var busy: Int {
    get { field(at: 34, 11) }
    set { add(newValue - busy, at: 34) }
  }
  var searching: Int {
    get { field(at: 45, 10) }
    set { add(newValue - searching, at: 45) }
  }

  var count: Int { searching + busy + sleeping + called }

  /// How many workers have a piece of work that is not over.
  var atWork: Int { busy + lingering }

  /// Whether no worker will look at the queue unless one is called.
  var needsCall: Bool { sleeping > 0 && searching == 0 && called == 0 }

  /// Calls a sleeping worker, if one is needed. False if not.
  mutating func call() -> Bool {
    guard needsCall else { return false }
    sleeping -= 1
    called += 1
    return true
  }

  /// Calls all sleeping workers. Returns how many there were.
  mutating func callAll() -> Int {
    let all = sleeping
    sleeping = 0
    called += all
    return all
  }

  /// A searching worker has seen work. Returns whether it was the last that would have looked at the queue;
  /// nil if it may not start the work: then it gives up.
  mutating func begin() -> Bool? { phase == .ended ? nil : stopSearching() }

  private mutating func stopSearching() -> Bool {
    searching -= 1
    busy += 1
    return searching == 0 && called == 0
  }

  /// What a worker that has found the queue empty does next.
  enum Idling: Equatable {
    /// Looks for work for a moment longer.
    case search
    /// Looks at the queue once more, and parks.
    case sleep
    case end
    /// Ends as the last worker: the pool has shut down.
    case endShutdown
  }

  /// A busy worker has found no more work.
  mutating func finish(_ idling: IdlePolicy) -> Idling {
    let maySearch = maySearch(idling)
    busy -= 1
    switch phase {
    case .open where !maySearch:
      sleeping += 1
      return .sleep
    case .open, .closing:
      searching += 1
      return .search
    case .ended, .released: return .end
    }
  }

  /// A busy worker wants to poll from inside its work. False if it must not.
  mutating func linger(_ idling: IdlePolicy) -> Bool {
    guard phase == .open, maySearch(idling) else { return false }
    busy -= 1
    searching += 1
    lingering += 1
    return true
  }

  /// It has stopped polling. Returns whether it was the last that would have looked at the queue.
  mutating func stopLingering() -> Bool {
    lingering -= 1
    return stopSearching()
  }

  /// At most half of a crew that parks search at a time.
  private func maySearch(_ idling: IdlePolicy) -> Bool {
    switch idling {
    case .parking: searching < max(1, count / 2)
    case .spinning: true
    }
  }

  /// A searching worker has searched long enough.
  ///
  /// - Parameter before: the phase in which its search started.
  mutating func giveUp(after before: Phase) -> Idling {
    if phase == .closing, before != .closing { return .search }
    searching -= 1
    switch phase {
    case .open:
      sleeping += 1
      return .sleep
    case .closing where count == 0:
      phase = .ended
      return .endShutdown
    case .closing, .ended, .released: return .end
    }
  }

  /// A worker that was counted as sleeping has seen work. Returns whether it took the place of one that was
  /// called.
  mutating func getUp() -> Bool {
    searching += 1
    if called > 0 {
      called -= 1
      return true
    }
    sleeping -= 1
    return false
  }

  /// A sleeping worker checks whether it, or another one, was called: returns the phase that it wakes to, or
  /// nil if none was.
  mutating func answerCall() -> Phase? {
    guard called > 0 else { return nil }
    called -= 1
    searching += 1
    return phase
  }
}
