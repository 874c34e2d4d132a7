// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Reads a diagram from the left to the right.
struct MarbleReader {
  private let diagram: String
  private var marks: [Marbles.Placed] = []
  private var tick = 0
  /// Where the group that is being read starts, and how many marks there were before it.
  private var group: (position: Int, marks: Int)?
  /// The mark after which nothing may come.
  private var last: Character?

  init(_ diagram: String) { self.diagram = diagram }

  mutating func read() throws(MarbleError) -> [Marbles.Placed] {
    var position = 0
    for character in diagram {
      position += 1
      switch character {
      case " ": continue
      case "-": try passTick(at: position)
      case "(": try openGroup(at: position)
      case ")": try closeGroup(at: position)
      default: try place(character, at: position)
      }
    }
    if let group {
      throw error(at: group.position, "'(' opens a group that is not closed", "put ')' after its last event")
    }
    return marks
  }

  private mutating func passTick(at position: Int) throws(MarbleError) {
    if group != nil {
      throw error(
        at: position, "'-' inside a group, whose events come at one instant", "close the group before it")
    }
    tick += 1
  }

  private mutating func openGroup(at position: Int) throws(MarbleError) {
    if let group {
      throw error(
        at: position, "'(' inside the group that begins at character \(group.position)", "remove it")
    }
    group = (position, marks.count)
  }

  private mutating func closeGroup(at position: Int) throws(MarbleError) {
    guard let group else {
      throw error(
        at: position, "')' closes no group",
        "remove it, or put '(' before the first of the events that come together")
    }
    if group.marks == marks.count {
      throw error(at: group.position, "an empty group", "write '-' for a tick at which nothing happens")
    }
    self.group = nil
    tick += 1
  }

  private mutating func place(_ character: Character, at position: Int) throws(MarbleError) {
    if character.isWhitespace {
      throw error(
        at: position, "white space that is not a space", "write the diagram in one line, with spaces")
    }
    let mark = Marbles.Mark(character)
    if let last {
      throw error(
        at: position, "'\(character)' after '\(last)'", "nothing can come after '\(last)': remove it")
    }
    switch mark {
    case .subscribed where !marks.isEmpty:
      throw error(
        at: position, "'^' after '\(marks[0].mark.character)'",
        "a diagram is of one subscription, which begins before all its events: put '^' in front")
    case .completed, .failed, .disposed: last = character
    case .subscribed, .value: break
    }
    marks.append(Marbles.Placed(tick, mark))
    if group == nil { tick += 1 }
  }

  private func error(at position: Int, _ found: String, _ remedy: String) -> MarbleError {
    MarbleError(diagram: diagram, position: position, found: found, remedy: remedy)
  }
}
