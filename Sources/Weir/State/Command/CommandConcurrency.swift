// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How many executions of a ``Command`` may run at the same time.
///
/// Executions beyond that are refused, not queued: see ``Command/execute(_:)``.
///
/// ReactiveObjC: `allowsConcurrentExecution`, NO and YES; it has no number.
public struct CommandConcurrency: Sendable, Hashable {
  private static let mostBounded = 4_094

  /// One: while it runs, the command is not enabled.
  public static var one: Self { Self(bound: 1) }

  /// No limit.
  public static var unlimited: Self { Self(bound: mostBounded + 1) }

  /// At most `count`: while that many run, the command is not enabled.
  ///
  /// - Parameter count: the limit.
  /// - Precondition: `count` is from 1 to 4,094.
  public static func limit(_ count: Int) -> Self {
    require(
      (1...mostBounded).contains(count),
      "weir: .limit(\(count)) of a command: the limit must be from 1 to \(mostBounded); for more use .unlimited"
    )
    return Self(bound: count)
  }

  /// The limit; for `unlimited`, one more than the highest.
  let bound: Int

  func allowsOne(beside running: Int) -> Bool { self == .unlimited || running < bound }
}

extension CommandConcurrency: CustomStringConvertible {
  /// As it is written in Swift.
  public var description: String {
    switch self {
    case .one: ".one"
    case .unlimited: ".unlimited"
    default: ".limit(\(bound))"
    }
  }
}
