// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The time of a program, in microseconds, and what is to happen in it: the model of a serial scheduler.
///
/// When it has been shut down it gives up what is queued, at once, and what waits for its time, when that has
/// come: so says `ShutdownReport`. Parts of tasks cannot be given up.
final class ModelClock {
  enum Kind {
    /// To be run as soon as possible.
    case queued
    /// Waits for its time.
    case timer
    /// A part of a task, which another scheduler runs, in the same time.
    case task
  }

  private struct Entry {
    let due: Int
    let number: Int
    let kind: Kind
    let work: () -> Void
    let abandon: () -> Void
  }

  private(set) var now = 0
  /// Whether work of the scheduler is running.
  private(set) var isRunning = false
  private var isShutDown = false
  /// In the order in which they will run.
  private var entries: [Entry] = []
  private var entriesEver = 0

  /// Runs `work` at `due`, after everything else that is due then, or calls `abandon` instead. Returns a
  /// closure that cancels it.
  @discardableResult
  func schedule(
    at due: Int, _ kind: Kind = .timer, abandon: @escaping () -> Void = {}, _ work: @escaping () -> Void
  ) -> () -> Void {
    if isShutDown, kind == .queued {
      abandon()
      return {}
    }
    let number = entriesEver
    entriesEver += 1
    let place = entries.firstIndex { $0.due > due } ?? entries.count
    entries.insert(Entry(due: due, number: number, kind: kind, work: work, abandon: abandon), at: place)
    return { self.cancel(number) }
  }

  /// Runs `work` as soon as possible.
  @discardableResult
  func schedule(_ kind: Kind = .queued, abandon: @escaping () -> Void = {}, _ work: @escaping () -> Void)
    -> () -> Void
  { schedule(at: now, kind, abandon: abandon, work) }

  /// What is queued keeps its place, though nothing is done there. The work is released after the change:
  /// that may end a run, which cancels other work.
  private func cancel(_ number: Int) {
    let before = entries
    entries = before.compactMap { entry in
      if entry.number != number { return entry }
      if entry.kind != .queued { return nil }
      return Entry(due: entry.due, number: number, kind: .queued, work: {}, abandon: {})
    }
    withExtendedLifetime(before) {}
  }

  func advance(by time: Int) {
    let end = now + time
    while let next = entries.first, next.due <= end {
      entries.removeFirst()
      now = next.due
      if isShutDown, next.kind != .task {
        next.abandon()
        continue
      }
      isRunning = next.kind != .task
      next.work()
      isRunning = false
    }
    now = end
  }

  /// Returns how many pieces of work were queued.
  func shutDown() -> Int {
    isShutDown = true
    let queued = entries.filter { $0.kind == .queued }
    entries.removeAll { $0.kind == .queued }
    for entry in queued { entry.abandon() }
    return queued.count
  }
}
