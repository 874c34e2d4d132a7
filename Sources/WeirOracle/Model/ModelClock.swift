// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The time of a program, in microseconds, and what is to happen in it: the model of a serial scheduler.
final class ModelClock {
  private struct Entry {
    let due: Int
    let number: Int
    let work: () -> Void
  }

  private(set) var now = 0
  /// Whether work of the clock is running.
  private(set) var isRunning = false
  /// In the order in which they will run.
  private var entries: [Entry] = []
  private var entriesEver = 0

  /// Runs `work` at `due`, after everything else that is due then. Returns a closure that cancels it.
  @discardableResult
  func schedule(at due: Int, _ work: @escaping () -> Void) -> () -> Void {
    let number = entriesEver
    entriesEver += 1
    let place = entries.firstIndex { $0.due > due } ?? entries.count
    entries.insert(Entry(due: due, number: number, work: work), at: place)
    return { self.remove(number) }
  }

  /// The work is released after the change: that may end a run, which cancels other work.
  private func remove(_ number: Int) {
    let before = entries
    entries = before.filter { $0.number != number }
    withExtendedLifetime(before) {}
  }

  func advance(by time: Int) {
    let end = now + time
    while let next = entries.first, next.due <= end {
      remove(next.number)
      now = next.due
      isRunning = true
      next.work()
      isRunning = false
    }
    now = end
  }
}

/// The timer of one run of an operator, set for one time at most. What it does is done in the run's turns.
final class ModelTimer {
  private let turns: Turns
  private let clock: ModelClock
  private let start: Int
  private var fired: ((ModelTimer) -> Void)?
  private var due = 0
  private var cancel: (() -> Void)?

  init(of turns: Turns, fired: @escaping (ModelTimer) -> Void) {
    self.turns = turns
    self.fired = fired
    clock = turns.target.scope.means.clock
    start = clock.now
    turns.upstreams.onEnd {
      self.fired = nil
      self.cancel?()
    }
  }

  func set(after time: Int) { set(to: clock.now + time) }

  /// Sets it to the next multiple of `period` since the start of the run.
  func setToNext(_ period: Int) { set(to: start + ((clock.now - start) / period + 1) * period) }

  /// If it is set already, for an earlier time, it goes on when it fires. That decides what comes first when
  /// the timers of several runs are due at the same time.
  func set(to due: Int) {
    self.due = due
    if cancel == nil, fired != nil { wait() }
  }

  private func wait() {
    cancel = clock.schedule(at: due) {
      self.cancel = nil
      if self.due > self.clock.now { self.wait() } else { self.turns.act { self.fired?(self) } }
    }
  }
}
