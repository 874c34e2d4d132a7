// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Work that waits until it is due; when handed over, the piece of work that its scheduler runs. It is run,
/// cancelled or abandoned, whichever comes first, and released then; so is the scheduler, which a cancelled
/// timer does not retain.
final class Timer: ScheduledWork, Disposable, HeapEntry, @unchecked Sendable {
  // Unchecked: `work` belongs to the thread that ends the timer, `scheduler` to the one that ends it or hands
  // it over, whichever is first; `order` and `place` to the thread of the timers.
  private var stateWord: UInt64 = 0
  @exclusivity(unchecked) private var work: (any ScheduledWork)?
  @exclusivity(unchecked) private var scheduler: (any Scheduler)?
  /// See ``Timers``.
  let due: UInt64
  private unowned let timers: Timers
  @exclusivity(unchecked) var order: UInt64 = 0
  @exclusivity(unchecked) var place = 0

  init(_ work: any ScheduledWork, on scheduler: any Scheduler, due: UInt64, of timers: Timers) {
    self.work = work
    self.scheduler = scheduler
    self.due = due
    self.timers = timers
  }

  /// The states that its word goes through.
  private static var armed: UInt64 { 0 }
  private static var handedOver: UInt64 { 1 }
  private static var over: UInt64 { 2 }
  private var state: AtomicWord { AtomicWord(property: 0, of: self) }

  /// A hint, which orders nothing: a thread that ends it learns that from ``end()``.
  var isDisposed: Bool { state.loadRelaxed() == Self.over }

  /// The timer that is due first comes first, then the one that was armed first.
  func isBefore(_ other: Timer) -> Bool { (due, order) < (other.due, other.order) }

  /// Hands the work over, unless it was cancelled.
  func fire() {
    guard state.compareExchange(Self.armed, Self.handedOver) else { return }
    scheduler.take()?.enqueue(self)
  }

  func run() { end()?.run() }

  func abandon() {
    guard let work = end() else { return }
    // User code must not hold up the timers of the process.
    if timers.isCurrent { ExecutorScheduler().schedule { work.abandon() } } else { work.abandon() }
  }

  func dispose() { if end() != nil { timers.noteCancelled() } }

  /// Ends the timer. Returns the work to the first caller, and nil to others.
  private func end() -> (any ScheduledWork)? {
    switch state.exchange(Self.over) {
    case Self.over: return nil
    case Self.armed: scheduler = nil
    default: break
    }
    return work.take()
  }
}

/// Arithmetic of times in nanoseconds.
enum TimerTime {
  /// The roundest number, in binary, from `time` to `time + tolerance`: for two such ranges that overlap
  /// much, it is often the same.
  static func coalesced(_ time: UInt64, within tolerance: UInt64) -> UInt64 {
    let (last, overflows) = time.addingReportingOverflow(tolerance)
    if overflows || tolerance == 0 || time == 0 { return time }
    let differing = (time - 1) ^ last
    return last & ~0 << UInt64(UInt64.bitWidth - 1 - differing.leadingZeroBitCount)
  }

  /// How long a thread parks at most. The clock of timers goes on while the machine sleeps, and that of
  /// parked threads does not: so after an hour of sleep a thread is late by this much, and not by the rest of
  /// its wait.
  static let longestWait: UInt64 = 60_000_000_000

  /// How long a thread that has to be awake at `time` parks.
  static func wait(until time: UInt64, from now: UInt64) -> Int64 {
    time <= now ? 0 : Int64(min(time - now, longestWait))
  }
}

extension Duration {
  /// The duration in whole nanoseconds, at least 0 and at most `UInt64.max`.
  var nanosecondsRoundedDown: UInt64 { UInt64(clamping: attoseconds / 1_000_000_000) }

  /// The same, rounded up.
  var nanosecondsRoundedUp: UInt64 {
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return UInt64(clamping: rest > 0 ? whole + 1 : whole)
  }
}
