// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// What is still to be run in virtual time, and what time it is. Any thread may add to it and take out of it.
///
/// Work is released, run and told of its end outside the lock: all of that is user code.
final class Agenda: @unchecked Sendable {  // everything under the lock
  typealias Instant = VirtualClock.Instant

  private let lock = Lock()
  private var time = Instant()
  private var entries = Heap<Entry>()
  private var order = 0
  private var sleepers = 0
  private var watchers: [Watcher] = []
  /// The thread that is inside a step; zero if none is.
  private var stepper: UInt64 = 0
  private var isClosed = false

  var now: Instant { lock.withLock { time } }
  var count: Int { lock.withLock { entries.count } }
  var next: Instant? { lock.withLock { first?.due } }
  var sleeperCount: Int { lock.withLock { sleepers } }

  /// Adds work that is due at `due`, or now if that has passed or is nil.
  @discardableResult
  func insert(_ work: any ScheduledWork, at due: Instant?) -> Entry {
    lock.withLock { add(work, due: due) }
  }

  /// Adds a sleeper; nil if it need not sleep any more, or would for ever.
  func insert(_ sleeper: Sleeper, until deadline: Instant) -> Entry? {
    let (entry, satisfied) = lock.withLock { () -> (Entry?, [Watcher.Continuation]) in
      if isClosed || deadline <= time { return (nil, []) }
      let entry = add(sleeper, due: deadline)
      sleepers += 1
      return (entry, takeWatchers { $0.count <= sleepers })
    }
    for continuation in satisfied { continuation.resume() }
    return entry
  }

  /// Returns when that many sleepers are in, when none come any more, or when the task is cancelled.
  func wait(forSleepers count: Int) async {
    let watcher = Watcher(for: count)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = lock.withLock {
          if sleepers >= count || isClosed || watcher.isCancelled { return true }
          watcher.continuation = continuation
          watchers.append(watcher)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let ended = lock.withLock {
        watcher.isCancelled = true
        return takeWatchers { $0 === watcher }
      }
      for continuation in ended { continuation.resume() }
    }
  }

  /// Takes out what is due next, if it is until `limit`, for the calling thread to run, and moves the time
  /// there.
  func takeNext(until limit: Instant?, for thread: UInt64) -> (work: any ScheduledWork, outer: UInt64)? {
    lock.withLock {
      guard let entry = first, limit.map({ entry.due <= $0 }) ?? true else { return nil }
      precondition(
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

  /// The step that `takeNext` has begun is over.
  func finishStep(back outer: UInt64) { lock.withLock { stepper = outer } }

  func move(to instant: Instant) { lock.withLock { time = max(time, instant) } }

  /// Nothing will be run any more.
  func close() {
    let (abandoned, ended) = lock.withLock {
      isClosed = true
      return (
        entries.all.sorted { $0.isBefore($1) }.compactMap { take($0) }, takeWatchers { _ in true }
      )
    }
    for work in abandoned { work.abandon() }
    for continuation in ended { continuation.resume() }
  }

  /// Takes some watchers out; they are for the caller to resume.
  private func takeWatchers(where isTaken: (Watcher) -> Bool) -> [Watcher.Continuation] {
    let taken = watchers.filter(isTaken)
    watchers.removeAll(where: isTaken)
    return taken.compactMap(\.continuation)
  }

  /// What is due first; nil if nothing is, or never.
  private var first: Entry? { entries.first.flatMap { $0.order < Entry.never ? $0 : nil } }

  private func add(_ work: any ScheduledWork, due: Instant?) -> Entry {
    order += 1
    // At the last instant all that would be due later is due at once: one round would follow the other, and
    // who advances the clock would not get away.
    let isNever = time == .last && due == Instant.last
    let entry = Entry(
      work, due: max(due ?? time, time), order: isNever ? Entry.never : order, in: self)
    entries.insert(entry)
    return entry
  }

  /// Takes an entry out; its work is for the caller. Nil if it is out already.
  private func take(_ entry: Entry) -> (any ScheduledWork)? {
    guard let work = entry.work else { return nil }
    entry.work = nil
    entries.remove(entry)
    if work is Sleeper { sleepers -= 1 }
    return work
  }

  /// A task that waits for sleepers.
  private final class Watcher: @unchecked Sendable {  // under the lock of the agenda
    typealias Continuation = CheckedContinuation<Void, Never>

    let count: Int
    var continuation: Continuation?
    var isCancelled = false

    init(for count: Int) { self.count = count }
  }

  /// A piece of work in an agenda, and what takes it out.
  final class Entry: Disposable, HeapEntry, @unchecked Sendable {
    // Unchecked: `work` and `place` under the lock of the agenda.
    /// The order of what is behind everything, and is not taken.
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
      // The work is released with the answer, after the lock.
      _ = agenda.lock.withLock { agenda.take(self) }
    }
  }
}
