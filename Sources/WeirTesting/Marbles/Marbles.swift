// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A marble diagram: what happens on one subscription, tick by tick, as text.
///
/// | character | means |
/// | --- | --- |
/// | `-` | nothing happens for one tick |
/// | `\|` | completion |
/// | `#` | failure |
/// | `^` | somebody subscribes |
/// | `!` | the subscription is disposed |
/// | `(…)` | all of it happens at one instant, in this order |
/// | space | nothing at all; to align diagrams below each other |
/// | any other | a value; which one, ``MarbleValues`` knows |
///
/// Every character takes one tick, and so does a group as a whole: in `"-a(bc)-|"`, `a` comes at tick 1, `b`
/// and `c` at 2 and the completion at 4. How long a tick is, is said where a diagram is used: one second of
/// virtual time, unless told otherwise. It must be positive: to read or to draw anything with another one
/// stops the process.
///
/// Reading a diagram is a pure function of the text. A bad one throws a ``MarbleError``, which shows what is
/// wrong.
///
/// ReactiveObjC has none.
public struct Marbles: Equatable, Sendable {
  /// What a character stands for.
  public enum Mark: Equatable, Sendable {
    /// A value.
    case value(Character)
    /// The end with an error.
    case failed
    /// The end without an error.
    case completed
    /// The beginning of the subscription.
    case subscribed
    /// Its end by disposal.
    case disposed
  }

  /// A mark in its place.
  public struct Placed: Equatable, Sendable {
    /// How many ticks after the beginning.
    public var tick: Int
    /// What happens.
    public var mark: Mark
    /// The mark at that tick.
    public init(_ tick: Int, _ mark: Mark) {
      self.tick = tick
      self.mark = mark
    }
  }

  /// All marks, in order.
  public var marks: [Placed]

  /// A diagram of these marks, in the order of their ticks.
  public init(_ marks: [Placed]) { self.marks = marks }

  /// Reads a diagram.
  public init(_ diagram: String) throws(MarbleError) {
    var reader = MarbleReader(diagram)
    marks = try reader.read()
  }
}

extension Marbles: CustomStringConvertible {
  /// The diagram as text, without spaces: what reads as the same marks.
  public var description: String { cells.joined() }

  /// What stands at each tick, up to the last mark.
  var cells: [String] {
    var cells = Array(repeating: "", count: (marks.map(\.tick).max() ?? -1) + 1)
    for placed in marks { cells[placed.tick].append(placed.mark.character) }
    return cells.map { $0.isEmpty ? "-" : $0.count == 1 ? $0 : "(\($0))" }
  }
}

extension Marbles.Mark {
  /// How it is written.
  var character: Character {
    switch self {
    case .value(let character): character
    case .failed: "#"
    case .completed: "|"
    case .subscribed: "^"
    case .disposed: "!"
    }
  }

  /// What a character stands for that is not about time.
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
