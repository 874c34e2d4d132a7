// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How often each outcome of a ``RaceTable`` came.
public struct RaceReport<Outcome: Hashable & Sendable>: Sendable {
  /// An outcome.
  public struct Row: Sendable {
    /// What came, or may come.
    public let outcome: Outcome
    /// In how many rounds it came.
    public let count: Int
    /// Why it may come; nil if it may not.
    public let reason: String?
  }

  /// How many rounds were run.
  public let rounds: Int
  /// All outcomes: those that came and are not in the table first, then those of the table, in its order.
  public let rows: [Row]

  /// Outcomes that came and are not in the table.
  public var forbidden: [Row] { rows.filter { $0.reason == nil } }
  /// Outcomes of the table that never came: they may need more rounds, or be impossible.
  public var unseen: [Row] { rows.filter { $0.count == 0 } }

  /// The whole table, if an outcome came that is not in it; nil otherwise.
  public var problem: Problem? {
    forbidden.isEmpty ? nil : Problem("a race had an outcome that is not allowed\n\(self)")
  }

  /// How often `outcome` came.
  public func count(of outcome: Outcome) -> Int { rows.first { $0.outcome == outcome }?.count ?? 0 }
}

extension RaceReport: CustomStringConvertible {
  /// The rows below each other: count, outcome, and why it is allowed.
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
