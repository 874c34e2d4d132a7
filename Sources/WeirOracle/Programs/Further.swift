// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Parts of programs that only the shape `timed` has, and that came last.

/// A source, or an operator, with its signals.
package enum Further: Sendable, Equatable {
  // Sources.
  /// The time, in microseconds, after these, and the end.
  case timer(Int)
  /// The time, at each of the first multiples of these.
  case interval(Int)
  /// The numbers from 0 on; a function fails for this one.
  case generated(Int, failingAt: Int)
  /// These values, one in each round of the scheduler.
  case rounds([Int])
  /// What a function returns, or throws.
  case tried(Result)

  // With one signal.
  /// Made when it is subscribed.
  case deferred
  /// With a resource whose disposal does this.
  case using(CleanUp.Deed)
  /// An operator whose function throws for this value.
  case throwing(Throwing, at: Int)
  /// The same, if functions make signals: the second signal for each value.
  case throwingFlat(Strategy, at: Int)
  case retrying(RetryPlan)
  /// The digits of each window between two points in time.
  case windowEvery(Int)
  /// Each value plus the time, or plus the time since the one before it.
  case timestamped, measured

  // With two.
  /// The second one in place of any failure but this.
  case catching(unless: Int)
  case prepending, mergingWith, racingWith
  /// Odd numbers are true.
  case and, or

  // With three.
  /// Switches between the others.
  case choosing
  /// The same, by the remainder by 3; with 0 and 1, and another one.
  case selecting

  /// After these an interval ends: where it is shared, nobody else ends it.
  static let tickCount = 3

  package enum Result: Sendable, Equatable { case returns(Int), throwsCode(Int) }

  /// What calls the function.
  package enum Throwing: Sendable, Equatable {
    case filter, compactMap, scan, reduce, takeWhile, skipWhile, distinct, minimum, maximum, doNext, tryMap
    case any, all, attempt
    /// The key of a group, and what it makes of a value.
    case groupKey, groupTransform
    /// The pairs of a value and the one before it.
    case reduceEach
  }
}

/// What a run does after a failure.
package struct RetryPlan: Sendable, Equatable {
  package enum Pause: Sendable, Equatable {
    case none
    case fixed(Int)
    /// Twice as long each time, up to two and a half times.
    case growing(Int)
    /// Only after the failure 1.
    case sometimes(Int)
  }

  package enum Reset: Sendable, Equatable {
    case never, onValue
    case afterRun(Int)
  }

  package var limit: Int
  package var pause: Pause
  package var reset: Reset
  /// A failure after which it gives up.
  package var fatal: Int
  /// Done before each new attempt.
  package var deed: CleanUp.Deed?
}

extension Further: CustomStringConvertible {
  package var description: String {
    switch self {
    case .timer(let time): "timer(\(time))"
    case .interval(let time): "interval(\(time))"
    case .generated(let count, let bad): "generated(\(count), failing at \(bad))"
    case .rounds(let values): "rounds(\(values))"
    case .tried(let result): "tried(\(result))"
    case .deferred: "deferred"
    case .using(let deed): "using(\(deed))"
    case .throwing(let name, let bad): "\(name)(throwing at \(bad))"
    case .throwingFlat(let strategy, let bad): "flatMap(.\(strategy), throwing at \(bad))"
    case .retrying(let plan): "\(plan)"
    case .windowEvery(let time): "window(every \(time))"
    case .timestamped: "timestamped"
    case .measured: "measured"
    case .catching(let code): "catch(unless \(code))"
    case .prepending: "prepending"
    case .mergingWith: "merge(with)"
    case .racingWith: "race(with)"
    case .and: "and"
    case .or: "or"
    case .choosing: "if-then-else"
    case .selecting: "switch"
    }
  }
}

extension RetryPlan: CustomStringConvertible {
  package var description: String {
    let deed = deed.map { ", before that \($0)" } ?? ""
    return "retry(up to \(limit), pause \(pause), reset \(reset), not after \(fatal)\(deed))"
  }
}
