// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Parts of programs of the shape `state`.

/// Two properties that are kept equal. The right one has the higher number, and is bound in this role only
/// once: so bindings never close a circle, which Weir forbids.
package struct Binding: Sendable, Equatable {
  package var left: Int
  package var right: Int
  /// Whether the right one is to hold twice the value of the left, which does not take over odd numbers, nor
  /// the right one what has the remainder 1 by 3.
  package var converts: Bool

  package init(left: Int, right: Int, converts: Bool) {
    (self.left, self.right) = (left, right)
    self.converts = converts
  }

  static func forth(_ value: Int) -> Int? { remainder(value, 3) == 1 ? nil : value &* 2 }
  static func back(_ value: Int) -> Int? { remainder(value, 2) == 1 ? nil : value / 2 }
}

/// A command.
package struct CommandPlan: Sendable, Equatable {
  /// It is enabled while the last value of this signal is odd; nil if always. A failure counts as a 1, and
  /// then nothing more comes.
  package var condition: Node?
  /// How many executions may run at the same time; nil: any number.
  package var limit: Int?
  /// Whether events go through the scheduler, and not directly.
  package var isScheduled: Bool
  /// The work, selected by the remainder of the input.
  package var work: [Node]
}

/// A signal of a command, as numbers.
package enum CommandView: Sendable, Equatable {
  case executing, enabled, errors
  /// An 8 for each execution.
  case begun
  /// All that executions send.
  case executions
  /// Executes the command with this input whenever it is subscribed to, and sends what that sends.
  case execute(Int)
  /// A task executes it, waits for the last value, and sends that.
  case run(Int)
}

/// The failures of an execution that has not begun, or has no end.
enum Refusal { static let (busy, disabled, interrupted) = (70, 71, 72) }
