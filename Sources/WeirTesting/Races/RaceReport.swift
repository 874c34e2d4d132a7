// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How often each outcome of a ``RaceTable`` occurred.
///
/// ReactiveObjC has none.
public struct RaceReport<Outcome: Hashable & Sendable>: Sendable {
  /// An outcome.
  public struct Row: Sendable {
    /// What occurred, or may occur.
    public let outcome: Outcome
    /// The number of rounds in which it occurred.
    public let count: Int
    /// Why it is allowed; nil if it is not.
    public let reason: String?
  }

  /// How many rounds were run.
  public let rounds: Int
  /// All outcomes: first those that occurred and are not in the table, then those of the table, in its order.
  public let rows: [Row]

  /// Outcomes that occurred and are not in the table.
  public var forbidden: [Row] { rows.filter { $0.reason == nil } }
  /// Outcomes of the table that never occurred: they may need more rounds, or be impossible.
  public var unseen: [Row] { rows.filter { $0.count == 0 } }

  /// The whole report if an outcome occurred that is not in the table; nil otherwise.
  public var problem: Problem? {
    forbidden.isEmpty ? nil : Problem("a race had an outcome that is not allowed\n\(self)")
  }

  /// How often `outcome` occurred.
  public func count(of outcome: Outcome) -> Int { rows.first { $0.outcome == outcome }?.count ?? 0 }
}

extension RaceReport: CustomStringConvertible {
  /// The rows, one a line: count, outcome, and why it is allowed.
  public var description: String {
    let width = String(rounds).count
    let lines = rows.map { row in
      let count = String(row.count)
      let verdict =
        switch row.reason {
        case nil: "NOT ALLOWED"
        case let reason? where row.count == 0: "never seen: \(reason)"
        case let reason?: "allowed: \(reason)"
        }
      return "  " + String(repeating: " ", count: width - count.count) + count
        + "  \(row.outcome)  \(verdict)"
    }
    return (["outcomes of \(rounds) rounds:"] + lines).joined(separator: "\n")
  }
}
