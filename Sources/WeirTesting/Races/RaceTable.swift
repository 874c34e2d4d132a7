// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// A race: operations that run at the same moment on threads of their own, round after round, and the
/// outcomes that are allowed, each with a reason.
///
/// ```swift
/// let table = RaceTable(
///   setup: { (set: CompoundDisposable(), disposals: Counter()) },
///   race: [
///     { it in it.set.add(ActionDisposable { it.disposals.add() }) },
///     { it in it.set.dispose() },
///   ],
///   outcome: { it in it.disposals.value },
///   allowed: [.init(1, because: "added before or after, it is disposed once")])
/// #expect(table.run().problem == nil)
/// ```
///
/// A round creates fresh state, releases all threads together, waits until they have returned, and reads the
/// outcome. The threads are started once for all rounds and take turns with the operations; each waits for a
/// random time, a few hundred nanoseconds at most, so that the operations meet at different points. Ten
/// thousand rounds of two operations take about a tenth of a second.
///
/// ReactiveObjC has none.
public struct RaceTable<State: Sendable, Outcome: Hashable & Sendable>: Sendable {
  /// An outcome that is allowed, and why.
  public struct Allowed: Sendable {
    let outcome: Outcome
    let reason: String

    /// An outcome with the reason why it is allowed.
    ///
    /// - Parameters:
    ///   - outcome: what is allowed.
    ///   - reason: which order of the operations leads to it, and why that is correct.
    public init(_ outcome: Outcome, because reason: String) {
      self.outcome = outcome
      self.reason = reason
    }
  }

  private let rounds: Int
  private let setup: @Sendable () -> State
  private let operations: [@Sendable (State) -> Void]
  private let outcome: @Sendable (State) -> Outcome
  private let allowed: [Allowed]

  /// A race of operations, with the outcomes that are allowed.
  ///
  /// - Parameters:
  ///   - rounds: how often the race is run.
  ///   - setup: creates the state of a round.
  ///   - operations: the operations that race, two or more, each on a thread of its own.
  ///   - outcome: reads the outcome from the state, when all operations have returned.
  ///   - allowed: all outcomes that are correct.
  /// - Precondition: there are two operations or more, and `rounds` is not negative.
  public init(
    rounds: Int = 10_000, setup: @escaping @Sendable () -> State,
    race operations: [@Sendable (State) -> Void],
    outcome: @escaping @Sendable (State) -> Outcome, allowed: [Allowed]
  ) {
    require(operations.count > 1, "weir: a race table needs two operations or more")
    require(rounds >= 0, "weir: RaceTable(rounds: \(rounds)): pass how often to run the race, 0 or more")
    self.rounds = rounds
    self.setup = setup
    self.operations = operations
    self.outcome = outcome
    self.allowed = allowed
  }

  /// Runs all rounds, and counts their outcomes. Returns when that is done; none of the closures is called on
  /// the calling thread.
  public func run() -> RaceReport<Outcome> {
    let course = RaceCourse<State>(lanes: operations.count)
    let counts = Tally<Outcome>()
    withThreads(operations.count) { lane in
      if lane > 0 { return course.follow(lane: lane, operations) }
      for _ in 0..<rounds {
        let state = setup()
        course.lead(state, operations)
        counts.add(outcome(state))
      }
      course.close()
    }
    let reasons = Dictionary(allowed.map { ($0.outcome, $0.reason) }) { first, _ in first }
    let known = allowed.map(\.outcome)
    let others = counts.counts.keys.filter { reasons[$0] == nil }.sorted { "\($0)" < "\($1)" }
    return RaceReport(
      rounds: rounds,
      rows: (others + known).map { .init(outcome: $0, count: counts.counts[$0] ?? 0, reason: reasons[$0]) })
  }
}

/// How often each outcome occurred.
private final class Tally<Outcome: Hashable & Sendable>: @unchecked Sendable {
  // Unchecked: written by one thread, and read after it has ended.
  private(set) var counts: [Outcome: Int] = [:]
  func add(_ outcome: Outcome) { counts[outcome, default: 0] += 1 }
}
