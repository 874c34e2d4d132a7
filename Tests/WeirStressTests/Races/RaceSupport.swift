// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Synchronization
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Pairs and triples of public operations, each with all its allowed outcomes. One suite for each family.
  @Suite struct Races {}
}

/// Runs a table whose outcomes are stated in words, and expects no other. Outcomes that never occurred are
/// printed: they may need more rounds.
func expectRace<State: Sendable>(
  setup: @escaping @Sendable () -> State, _ operations: [@Sendable (State) -> Void],
  outcome: @escaping @Sendable (State) -> String, allowed: KeyValuePairs<String, String>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  perturb()
  let blocksBefore = blocksAlive()
  let rounds = weir_is_thread_sanitized() || weir_atomics_are_hooked() ? 500 : 1_000
  let report = RaceTable(
    rounds: rounds * scale, setup: setup, race: operations, outcome: outcome,
    allowed: allowed.map { .init($0.key, because: $0.value) }
  ).run()
  #expect(report.problem == nil, sourceLocation: sourceLocation)
  for row in report.unseen {
    print("never seen in \(report.rounds) rounds: \"\(row.outcome)\" (\(sourceLocation))")
  }
  // What the process allocates once, on first use, is not a leak. A block in each round would be thousands.
  expectBlocks(notAbove: blocksBefore, exceptFor: 100, sourceLocation: sourceLocation)
}

/// What one subscriber receives, in words, and whether the rules were kept.
final class Diary: @unchecked Sendable {
  // Unchecked: written in serial delivery, and read when all operations have returned. That is what is
  // tested.
  private var entries: [String] = []
  private var grammar: Grammar<Int, RaceFailure>?

  /// For example "1, 2, end".
  var text: String {
    if let grammar, grammar.violations > 0 { return "\(grammar.firstViolations)" }
    return entries.isEmpty ? "nothing" : entries.joined(separator: ", ")
  }

  func note(_ word: String) { entries.append(word) }

  @discardableResult
  func listen(to signal: some SignalConvertible<Int, RaceFailure>) -> Subscription {
    let grammar = Grammar<Int, RaceFailure>(
      next: { [unowned self] in note("\($0)") },
      terminated: { [unowned self] in
        if case .completed = $0 { note("end") } else { note("failure") }
      })
    self.grammar = grammar
    return grammar.subscribe(to: signal)
  }

  @discardableResult
  func listen(to signal: some SignalConvertible<Int, Never>) -> Subscription {
    listen(to: signal.signal.mapError { never -> RaceFailure in })
  }
}

struct RaceFailure: Error {}

/// A place for something that one operation of a race leaves for the outcome, or releases.
final class Place<Value: Sendable>: Sendable {
  private let content: Mutex<Value?>
  init(_ value: Value? = nil) { content = Mutex(value) }

  var value: Value? { content.withLock { $0 } }
  func put(_ value: Value) { content.withLock { $0 = value } }
  /// Releases the value, outside the lock.
  func empty() {
    let taken = content.withLock { content in
      defer { content = nil }
      return content
    }
    withExtendedLifetime(taken) {}
  }
}
