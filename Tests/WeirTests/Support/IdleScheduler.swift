// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Runs work when the test says so; that work may look for more a few times.
final class IdleScheduler: LingeringScheduler, @unchecked Sendable {  // used by one thread
  private let queue = QueuedScheduler()
  private let most: Int
  private(set) var enqueued = 0
  private(set) var looks = 0
  private(set) var answers: [Bool] = []
  /// After how many answers `wakeWorkers()` was called, each time.
  private(set) var wentOn: [Int] = []
  /// Called with the number of each look, and of each answer that is false.
  var onLook: (Int) -> Void = { _ in }
  var onReturn: (Int) -> Void = { _ in }

  /// - Parameter looks: how many each `linger` may take.
  init(looks: Int) { most = looks }

  func linger(until isDone: () -> Bool) -> Bool {
    for _ in 0..<most {
      looks += 1
      onLook(looks)
      if isDone() {
        answers.append(true)
        return true
      }
    }
    answers.append(false)
    onReturn(answers.count)
    return false
  }

  func wakeWorkers() { wentOn.append(answers.count) }

  func enqueue(_ work: any ScheduledWork) {
    enqueued += 1
    queue.enqueue(work)
  }

  func runAll() { performAsCurrent { queue.runAll() } }
}
