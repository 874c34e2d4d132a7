// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing
import WeirExplorer
import WeirTesting

/// All explorations, one at a time. They take a build whose atomics are hooked: `.ci/run explore`, or
/// `perf/explore` for a long run.
@Suite(
  .serialized,
  .enabled(
    if: weir_atomics_are_hooked(), "needs hooked atomics: .ci/run explore, or -Xcc -DWEIR_ATOMICS_HOOK=1"))
enum Exploring {}

/// How much is explored: 1 in CI, 2 when mutants are to be found.
private let scale: Int = {
  guard let text = getenv("WEIR_EXPLORE_SCALE").map({ String(cString: $0) }) else { return 1 }
  guard let scale = Int(text), 1...999_999_999 ~= scale else {
    preconditionFailure("weir: WEIR_EXPLORE_SCALE='\(text)' is not a number from 1 to 999999999")
  }
  return scale
}()

/// Explores a scenario with all searches, and expects no failure: exhaustively within a bound, then at
/// random.
///
/// - Parameters:
///   - preemptions: the bound of exhaustive searches: how often threads are interrupted at most. It is two
///     for two threads, and one for more, if it is not given.
///   - effort: how many times as much to search as usual, for a scenario that is larger than others.
///   - loads: whether loads may find older values, too. Not where something is destroyed while threads run:
///     counts of references order that, which the explorer does not see.
func expectSound<State>(
  _ scenario: Scenario<State>, preemptions: Int? = nil, effort: Int = 1, loads: Loads = .older,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let isPair = scenario.threadCount == 2
  let bound = (preemptions ?? (isPair ? 2 : 1)) + (scale > 2 ? 1 : 0)
  let scale = scale * effort
  var searches: [(Search, Loads, steps: Int)] = [
    (.exhaustive(preemptions: bound), .newest, 20_000),
    (.priorities(changes: 2, schedules: 100 * scale), .newest, 5_000),
    (.priorities(changes: 5, schedules: 100 * scale), .newest, 5_000),
    (.uniform(schedules: 50 * scale), .newest, 2_500),
  ]
  if case .older = loads {
    searches += [
      (.exhaustive(preemptions: bound), .older, 10_000),
      (.uniform(schedules: 100 * scale), .older, 5_000),
    ]
  }
  for (search, loads, steps) in searches {
    let exploration = explore(scenario, search, loads: loads, steps: steps * scale)
    print(exploration)
    if let failure = exploration.failure {
      Issue.record("\(failure)", sourceLocation: sourceLocation)
      return
    }
  }
}

/// Detects two threads in the same place. A visit takes two steps, so that another thread can come in
/// between; they order nothing.
final class Place {
  private let pause = Words(1)
  private var isTaken = false
  private(set) var wasShared = false

  func visit(_ body: () -> Void = {}) {
    if isTaken { wasShared = true }
    isTaken = true
    _ = weir_load_relaxed_u64(pause.words)
    body()
    _ = weir_load_relaxed_u64(pause.words)
    if !isTaken { wasShared = true }
    isTaken = false
  }
}

/// Things that must go away exactly once; plain memory, as one thread runs at a time.
final class Ledger: @unchecked Sendable {
  private(set) var made = 0
  private(set) var gone = 0

  final class Token: Sendable {
    private let ledger: Ledger
    init(_ ledger: Ledger) {
      self.ledger = ledger
      ledger.made += 1
    }
    deinit { ledger.gone += 1 }
  }

  func make() -> Token { Token(self) }
  var alive: Int { made - gone }
}

/// A list that several threads may append to, as one thread runs at a time.
final class Log<Element>: @unchecked Sendable {
  var elements: [Element] = []
  func add(_ element: Element) { elements.append(element) }
}
