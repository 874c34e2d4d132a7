// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// A kind of work that several threads do over and over. A few milliseconds after a turn nothing of it is
/// left. A turn waits for what it has started, so that no queue between threads grows because one of them is
/// faster.
protocol Load: Sendable {
  /// - Parameters:
  ///   - number: the number of this turn, which no other turn has.
  ///   - tally: counts what is delivered and what is alive.
  func turn(_ number: Int, _ tally: Tally)
}

/// What all threads count.
final class Tally: Sendable {
  /// Values delivered.
  let events = Counter()
  /// The objects that closures and values hold.
  let resources = Resources()
  /// The timers and tasks that were started and have not ended.
  let underWay = Counter()
  private let over = Counter()

  var isOver: Bool { over.value > 0 }
  func stop() { over.add() }

  /// Starts something, unless a lot has been started already.
  func begin(_ start: () -> Void) {
    if underWay.value >= 256 { return }
    underWay.add()
    start()
  }
  func end() { underWay.add(-1) }
}
