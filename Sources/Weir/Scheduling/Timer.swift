// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Work that waits until it is due, and is then handed over to its scheduler. It is run, cancelled, abandoned
/// or forgotten by the scheduler, whichever comes first, and released then; so is the scheduler, which a
/// cancelled timer does not retain.
final class Timer: Disposable, HeapEntry, @unchecked Sendable {
  // Unchecked: `work` belongs to the thread that ends the timer, `scheduler` to the one that ends it or hands
  // it over, whichever is first; `order` and `place` to the thread of the timers.
  private var stateWord: UInt64 = 0
  @exclusivity(unchecked) private var work: (any ScheduledWork)?
  @exclusivity(unchecked) private var scheduler: (any Scheduler)?
  /// See ``Timers``.
  let due: UInt64
  @exclusivity(unchecked) var order: UInt64 = 0
  @exclusivity(unchecked) var place = 0

  init(_ work: any ScheduledWork, on scheduler: any Scheduler, due: UInt64) {
    self.work = work
    self.scheduler = scheduler
    self.due = due
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
    scheduler.take()?.enqueue(DueTimer(self))
  }

  fileprivate func run() { end()?.run() }

  fileprivate func abandon() { letGo { $0.abandon() } }

  /// The scheduler has released the timer without running or abandoning it.
  fileprivate func forget() { letGo { _ = $0 } }

  private func letGo(_ part: @escaping @Sendable (any ScheduledWork) -> Void) {
    guard let work = end() else { return }
    // User code must not hold up the timers of the process.
    if Timers.shared.isCurrent { ExecutorScheduler().schedule { part(work) } } else { part(work) }
  }

  func dispose() { if end() != nil { Timers.shared.noteCancelled() } }

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

/// What the scheduler of a timer runs. An object of its own, which nothing else retains: so a scheduler that
/// merely releases it shows, although whoever armed the timer still holds that.
private final class DueTimer: ScheduledWork {
  private let timer: Timer
  init(_ timer: Timer) { self.timer = timer }
  deinit { timer.forget() }

  func run() { timer.run() }
  func abandon() { timer.abandon() }
}
