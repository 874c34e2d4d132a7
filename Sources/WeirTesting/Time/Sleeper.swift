// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// A task that sleeps in virtual time: it is run when the scheduler reaches its deadline, and abandoned when
/// the task is cancelled or the scheduler is deallocated.
final class Sleeper: ScheduledWork, @unchecked Sendable {  // all state under the lock
  private enum State {
    case awake
    case asleep(CheckedContinuation<Void, any Error>)
    case over
  }
  private let lock = Lock()
  private var state = State.awake
  private var alarm: Agenda.Entry?

  /// Lets the task sleep; wakes it at once if there is nothing to wait for.
  func sleep(
    _ continuation: CheckedContinuation<Void, any Error>, until deadline: VirtualClock.Instant,
    of agenda: Agenda
  ) {
    let isCancelled = lock.withLock {
      if case .over = state { return true }
      state = .asleep(continuation)
      return false
    }
    if isCancelled { return continuation.resume(throwing: CancellationError()) }
    guard let alarm = agenda.insert(self, until: deadline) else {
      return agenda.now < deadline ? abandon() : run()
    }
    let isOver = lock.withLock {
      self.alarm = alarm
      if case .over = state { return true }
      return false
    }
    if isOver { alarm.dispose() }
  }

  func run() { end()?.resume() }

  func abandon() {
    let continuation = end()
    lock.withLock { alarm }?.dispose()
    continuation?.resume(throwing: CancellationError())
  }

  private func end() -> CheckedContinuation<Void, any Error>? {
    lock.withLock {
      defer { state = .over }
      if case .asleep(let continuation) = state { return continuation }
      return nil
    }
  }
}
