// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// A serial scheduler that runs what was scheduled when the test says so, on its thread.
final class QueuedScheduler: Scheduler, @unchecked Sendable {  // used by one thread at a time
  private var actions: [@Sendable () -> Void] = []
  private var isStopped = false

  @discardableResult
  func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    if !isStopped { actions.append(action) }
    return ActionDisposable {}
  }

  func runOne() { actions.removeFirst()() }
  func runAll() { while !actions.isEmpty { runOne() } }

  /// Drops what waits and what comes: it may hold those who hold the scheduler.
  func stop() {
    isStopped = true
    actions = []
  }
}
