// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// A kind of work that several threads do over and over. A turn leaves nothing behind, at the latest a few
/// milliseconds later; and it waits for what it has set going, so that no queue between threads grows with
/// the speed of one of them.
protocol Load: Sendable {
  /// - Parameters:
  ///   - number: of this turn; no two turns have the same.
  ///   - tally: counts what is delivered and what is alive.
  func turn(_ number: Int, _ tally: Tally)
}

/// What all threads count.
final class Tally: Sendable {
  /// Values delivered.
  let events = Counter()
  /// What closures and values hold.
  let resources = Resources()
  /// What was set going and is not over: timers, tasks.
  let underWay = Counter()
  private let over = Counter()

  var isOver: Bool { over.value > 0 }
  func stop() { over.add() }

  /// Sets something going, unless there is a lot already.
  func begin(_ start: () -> Void) {
    if underWay.value >= 256 { return }
    underWay.add()
    start()
  }
  func end() { underWay.add(-1) }
}
