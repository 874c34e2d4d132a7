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
