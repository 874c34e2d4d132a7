// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// A marble diagram: what happens on one subscription, tick by tick, as text.
///
/// | character | means |
/// | --- | --- |
/// | `-` | nothing happens for one tick |
/// | `\|` | completion |
/// | `#` | failure |
/// | `^` | the subscription starts |
/// | `!` | the subscription is disposed |
/// | `(…)` | everything inside happens at one instant, in this order |
/// | space | no meaning; for aligning diagrams |
/// | any other | a value; ``MarbleValues`` says which |
///
/// Every character takes one tick, and so does a group as a whole: in `"-a(bc)-|"`, `a` comes at tick 1, `b`
/// and `c` at 2 and the completion at 4. The length of a tick is a parameter wherever a diagram is used; by
/// default it is one second of virtual time. It must be positive: reading or drawing with any other tick
/// stops the process.
///
/// Reading a diagram is a pure function of the text. A malformed diagram throws a ``MarbleError`` that shows
/// what is wrong.
///
/// ReactiveObjC has none.
public struct Marbles: Hashable, Sendable {
  /// What a character stands for.
  public enum Mark: Hashable, Sendable {
    /// A value.
    case value(Character)
    /// The end with an error.
    case failed
    /// The end without an error.
    case completed
    /// The start of the subscription.
    case subscribed
    /// The end of the subscription by disposal.
    case disposed
  }

  /// A mark at its tick.
  public struct Placed: Hashable, Sendable {
    /// The number of ticks since the start of the diagram.
    public var tick: Int
    /// What happens.
    public var mark: Mark
    /// `mark`, at `tick`.
    public init(_ tick: Int, _ mark: Mark) {
      self.tick = tick
      self.mark = mark
    }
  }

  /// All marks, in order.
  public var marks: [Placed]

  /// A diagram of these marks, in the order of their ticks, and as they come within one tick.
  ///
  /// - Precondition: no tick is negative.
  public init(_ marks: [Placed]) {
    let first = marks.map(\.tick).min() ?? 0
    require(first >= 0, "weir: a mark at tick \(first): a diagram begins with tick 0")
    // Not every sort keeps the order of what is equal.
    self.marks = marks.enumerated()
      .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
  }

  /// Reads a diagram. Throws a ``MarbleError`` if it is malformed.
  public init(_ diagram: String) throws(MarbleError) {
    var reader = MarbleReader(diagram)
    marks = try reader.read()
  }
}

extension Marbles: CustomStringConvertible {
  /// The diagram as text, without spaces, which reads as the same marks, unless the character of a value
  /// means something else in a diagram.
  public var description: String { cells.joined() }

  /// The text of each tick, up to the last mark.
  var cells: [String] {
    var cells = Array(repeating: "", count: (marks.map(\.tick).max() ?? -1) + 1)
    for placed in marks { cells[placed.tick].append(placed.mark.character) }
    return cells.map { $0.isEmpty ? "-" : $0.count == 1 ? $0 : "(\($0))" }
  }
}

extension Marbles.Mark {
  /// The character that it is written as.
  var character: Character {
    switch self {
    case .value(let character): character
    case .failed: "#"
    case .completed: "|"
    case .subscribed: "^"
    case .disposed: "!"
    }
  }

  /// The mark for a character that is neither for time nor for grouping.
  init(_ character: Character) {
    self =
      switch character {
      case "#": .failed
      case "|": .completed
      case "^": .subscribed
      case "!": .disposed
      default: .value(character)
      }
  }
}
