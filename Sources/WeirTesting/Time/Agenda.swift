// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The pending work of a virtual scheduler, and its time. Any thread may add work and remove it.
///
/// Work is released, run and abandoned outside the lock: all of that may run user code.
final class Agenda: @unchecked Sendable {  // everything under the lock
  typealias Instant = VirtualClock.Instant

  private let lock: Lock
  private let watchers: Watchers
  private var time = Instant()
  private var entries = Heap<Entry>()
  private var order = 0
  private var sleepers = 0
  /// The thread that is inside a step; zero if none is.
  private var stepper: UInt64 = 0
  private var isClosed = false

  init() {
    lock = Lock()
    watchers = Watchers(under: lock)
  }

  var now: Instant { lock.withLock { time } }
  var count: Int { lock.withLock { entries.count } }
  var next: Instant? { lock.withLock { first?.due } }
  var sleeperCount: Int { lock.withLock { sleepers } }

  /// Where work stands among what is due at the same instant.
  enum Rank {
    /// Behind what was added before.
    case inTurn
    /// Before everything that is in turn; behind other work of this rank.
    case first
  }

  /// Adds work that is due at `due`, or now if that has passed or is nil.
  @discardableResult
  func insert(_ work: any ScheduledWork, at due: Instant?, rank: Rank = .inTurn) -> Entry {
    lock.withLock { add(work, due: due, rank: rank) }
  }

  /// Adds a sleeper; nil if its deadline has passed, or it would sleep for ever.
  func insert(_ sleeper: Sleeper, until deadline: Instant) -> Entry? {
    let (entry, satisfied) = lock.withLock { () -> (Entry?, [Watchers.Continuation]) in
      if isClosed || deadline <= time { return (nil, []) }
      let entry = add(sleeper, due: deadline)
      sleepers += 1
      return (entry, watchers.take(at: sleepers))
    }
    for continuation in satisfied { continuation.resume() }
    return entry
  }

  /// Returns when at least `count` tasks sleep, the agenda is closed, or the calling task is cancelled.
  func wait(forSleepers count: Int) async { await watchers.wait(for: count) { sleepers } }

  /// Removes the work that is due next, if it is due by `limit`, for the calling thread to run, and moves the
  /// time there.
  func takeNext(until limit: Instant?, for thread: UInt64) -> (work: any ScheduledWork, outer: UInt64)? {
    lock.withLock {
      guard let entry = first, limit.map({ entry.due <= $0 }) ?? true else { return nil }
      require(
        stepper == 0 || stepper == thread,
        """
        weir: two threads step a VirtualScheduler at the same time, so that its work would not be serial; \
        step it on one, and let the others schedule
        """)
      guard let work = take(entry) else { return nil }
      time = max(time, entry.due)
      defer { stepper = thread }
      return (work, stepper)
    }
  }

  /// Ends the step that `takeNext` has started.
  func finishStep(back outer: UInt64) { lock.withLock { stepper = outer } }

  /// Moves the time there. False if there is work that is due by then: another thread has just added it.
  func move(to instant: Instant) -> Bool {
    lock.withLock {
      if let first, first.due <= instant { return false }
      time = max(time, instant)
      return true
    }
  }

  /// Closes the agenda: abandons all work, and resumes all tasks that wait for sleepers.
  func close() {
    let (abandoned, ended) = lock.withLock {
      isClosed = true
      return (entries.all.sorted { $0.isBefore($1) }.compactMap { take($0) }, watchers.close())
    }
    for work in abandoned { work.abandon() }
    for continuation in ended { continuation.resume() }
  }

  /// The entry that is due first; nil if there is none, or none that will ever be run.
  private var first: Entry? { entries.first.flatMap { $0.order < Entry.never ? $0 : nil } }

  private func add(_ work: any ScheduledWork, due: Instant?, rank: Rank = .inTurn) -> Entry {
    order += 1
    // At the last instant, work that would be due later is due at once: repeated work would run round after
    // round, and advancing the clock would never return.
    let isNever = time == .last && due == Instant.last
    let place = rank == .first ? order + .min : order
    let entry = Entry(
      work, due: max(due ?? time, time), order: isNever ? Entry.never : place, in: self)
    entries.insert(entry)
    return entry
  }

  /// Removes an entry, and returns its work; nil if it has been removed already.
  private func take(_ entry: Entry) -> (any ScheduledWork)? {
    guard let work = entry.work else { return nil }
    entry.work = nil
    entries.remove(entry)
    if work is Sleeper { sleepers -= 1 }
    return work
  }

  /// A piece of work in an agenda; disposing removes it.
  final class Entry: Disposable, HeapEntry, @unchecked Sendable {
    // Unchecked: `work` and `place` under the lock of the agenda.
    /// The order of work that comes after everything else, and is never run.
    static let never = Int.max

    let due: Instant
    let order: Int
    fileprivate var work: (any ScheduledWork)?
    var place = 0
    private let agenda: Agenda

    fileprivate init(_ work: any ScheduledWork, due: Instant, order: Int, in agenda: Agenda) {
      self.work = work
      self.due = due
      self.order = order
      self.agenda = agenda
    }

    func isBefore(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }

    var isDisposed: Bool { agenda.lock.withLock { work == nil } }

    func dispose() {
      // The returned work is released here, after the lock.
      _ = agenda.lock.withLock { agenda.take(self) }
    }
  }
}
