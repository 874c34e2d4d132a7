// Part of Weir. SPDX-License-Identifier: Apache-2.0
import WeirOracle

extension Misreading {
  /// Of what only the shape `timed` has, and came last.
  static let further = sources + attempts + operators

  private static func misreading(
    _ description: String, of read: @escaping @Sendable (Further, [Node]) -> Node?
  ) -> Misreading {
    Misreading(
      testDescription: description, shape: .timed,
      node: { if case .further(let name, let nodes) = $0 { read(name, nodes) ?? $0 } else { $0 } })
  }

  private static let sources = [
    Misreading(
      testDescription: "a replay of all values that keeps one", shape: .timed,
      source: { $0 == .replayAll ? .replay(1) : $0 }),
    Misreading(
      testDescription: "a replay of young values that keeps a value too long", shape: .timed,
      source: {
        if case .replayWithin(let time, let count) = $0 {
          .replayWithin(time + 2_000_000, last: count)
        } else {
          $0
        }
      }),
    Misreading(
      testDescription: "a subject for one sender that replays its last value", shape: .timed,
      source: { $0 == .unserialized ? .replay(1) : $0 }),
    misreading("an interval that is a microsecond late") { name, nodes in
      if case .interval(let time) = name { .further(.interval(time + 1), nodes) } else { nil }
    },
    misreading("a scheduler that has no round for the last value") { name, nodes in
      if case .rounds(let values) = name { .further(.rounds(Array(values.dropLast())), nodes) } else { nil }
    },
    misreading("a resource that nobody disposes") { name, nodes in
      if case .using = name { .further(.deferred, nodes) } else { nil }
    },
  ]

  private static func attempt(
    _ description: String, _ change: @escaping @Sendable (inout RetryPlan) -> Void
  ) -> Misreading {
    misreading(description) { name, nodes in
      guard case .retrying(var plan) = name else { return nil }
      change(&plan)
      return .further(.retrying(plan), nodes)
    }
  }

  private static let attempts = [
    attempt("pauses that do not grow") { plan in
      if case .growing(let time) = plan.pause { plan.pause = .fixed(time) }
    },
    attempt("a pause after each failure") { plan in
      if case .sometimes(let time) = plan.pause { plan.pause = .fixed(time) }
    },
    attempt("a count that a long run does not start over") { plan in
      if case .afterRun = plan.reset { plan.reset = .never }
    },
    attempt("an attempt after a failure that is given up") { $0.fatal = -1 },
    attempt("an attempt that nothing precedes") { $0.deed = nil },
  ]

  private static let operators = [
    misreading("a function that does not throw") { name, nodes in
      if case .throwing(let form, _) = name { .further(.throwing(form, at: -1), nodes) } else { nil }
    },
    misreading("a function for signals that does not throw") { name, nodes in
      guard case .throwingFlat(let strategy, _) = name else { return nil }
      return .further(.throwingFlat(strategy, at: -1), nodes)
    },
    misreading("a window that is a microsecond longer") { name, nodes in
      if case .windowEvery(let time) = name { .further(.windowEvery(time + 1), nodes) } else { nil }
    },
    misreading("intervals that are times") { name, nodes in
      if name == .measured { .further(.timestamped, nodes) } else { nil }
    },
    misreading("catch that replaces each failure") { name, nodes in
      if case .catching = name { .two(.catchTo, nodes[0], nodes[1]) } else { nil }
    },
    misreading("a signal put in front that runs behind") { name, nodes in
      if name == .prepending { .many(.concat, nodes) } else { nil }
    },
    misreading("and that is or") { name, nodes in name == .and ? .further(.or, nodes) : nil },
    misreading("if that is not switched by a false") { name, nodes in
      guard name == .choosing else { return nil }
      return .further(.choosing, [nodes[0], nodes[1], nodes[1]])
    },
  ]
}
